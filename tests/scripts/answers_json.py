"""Answers as data: each command that answers, once as a line of `set output json` and once with `--json`. Values are compared with what the examples compute, and the
law is checked: each number in the text of an answer is a cell of it."""
import json
import os
import re
import struct
import subprocess
import sys

WARPSTEP, EXAMPLES = sys.argv[1:]
FOLDERS = {n[3:]: os.path.join(EXAMPLES, n) for n in os.listdir(EXAMPLES) if n[:2].isdigit()}
FOLDERS["source"] = os.path.join(EXAMPLES, "..", "tests", "golden", "source")  # PTX with debug information
bad = []


def expect(what, got, want):
    if got != want:
        bad.append("%s: %r, expected %r" % (what, got, want))


def f32(v):
    return struct.unpack("f", struct.pack("f", v))[0]


def line_of(example, file, *words):
    """The number of the only line with these words."""
    text = open(os.path.join(FOLDERS[example], file)).read().splitlines()
    found = [k + 1 for k, l in enumerate(text) if all(w in l for w in words)]
    assert len(found) == 1, (file, words, found)
    return found[0]


# ---- the law ----

NUMBER = r"0x[0-9a-f]+|[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?"
ALONE = re.compile(r"(?<![\w.%$])(?:" + NUMBER + r")(?!\w)", re.I)

# Text that holds no cells: what is drawn from cells by counting or summing, and the words of dumps in GPGPU-Sim's form.
# Command (its beginning), pattern of the text, reason.
WORDS = [
    ("", r"<[^<>\n]*\+[0-9]+>", "the offset in a name is the distance of the cell's address from the name's"),
    ("", r"<repeats [0-9]+ times>", "a list holds each element"),
    ("", r"`[^`\n]*`", "a command that could be typed"),
    ("", r"\\[0-7]{3}", "a character; the cell has the character, or its number"),
    ("", r"@0x[0-9a-f]+", "the value of a reference is what it refers to"),
    ("dp", r"(?s).*", "the lines are GPGPU-Sim's; cells are the machine's fields"),
    ("dm", r"(?s).*", "likewise"),
    ("dicnt", r"(?s).*", "likewise"),
    ("diagram", r"(?s).*", "the picture is drawn from `instructions`"),
    ("stats summary", r"[0-9.]+%|\b32 lanes|occupancy.*|[^\n]*%  [^\n]*", "shares of the cells; occupancy is `info occupancy`'s"),
    ("info access", r"lane[s]? .*|words of banks.*|bank .*|lane 0 .*|\([0-9]+%\)", "the rulers of the picture"),
    ("occupancy", r"[0-9.]+ %", "per cent of the cell `occupancy`"),
    ("info config", r"(?s).*", "help texts of options"),
    ("stats --list", r"(?s).*", "help texts of figures"),
    ("ptype /o", r"(?s).*", "gdb's columns; `members` has them"),
    ("info statistics", r"(?s).*", "blocks of lines in GPGPU-Sim's form, whose figures may have other names in the cells"),
    ("info findings", r"\+0x[0-9a-f]+|\(0x[0-9a-f]+, [0-9]+ bytes\)", "compute-sanitizer's lines; the cells are those of --report"),
    ("continue", r", with lanes \[[0-9 -]*\]", "the ranges of the cell `lanes`"),
    ("run deposit", r"(?m)^    warp .*", "the cells of `why hang`"),
    ("list /s", r"(?m)^.*insns.*$", "the title"),
]


def strings(node):
    if isinstance(node, dict):
        for k, v in node.items():
            if k != "text" or not isinstance(v, str):
                yield from strings(v)
            else:
                yield ("text", v)
            yield ("name", k)
    elif isinstance(node, list):
        for v in node:
            yield from strings(v)
    elif isinstance(node, str):
        yield ("string", node)
    elif node is not None and not isinstance(node, bool):
        yield ("number", node)


def cells_of(result):
    numbers, texts = set(), set()
    own = result.get("text")
    for kind, v in strings({k: v for k, v in result.items() if k != "text"}):
        if kind == "number":
            numbers.add(v)
        else:
            for t in ALONE.findall(v):
                texts.add(t.lower())
            for t in re.findall(NUMBER, v, re.I):
                texts.add(t.lower())
    return numbers, texts, own


def is_cell(token, numbers, texts):
    t = token.lower()
    if t in texts:
        return True
    if t.startswith("0x"):
        v = int(t, 16)
        return any(isinstance(n, int) and n % 2**64 == v or isinstance(n, int) and n < 0 and n % 2**32 == v for n in numbers) or str(v) in texts
    v = float(t)
    digits = len(t.split(".")[1].split("e")[0]) if "." in t else 0
    near = 0.51 * 10.0 ** -digits if digits and "e" not in t else 1e-6 * abs(v)
    return any(abs(abs(n) - v) <= near for n in numbers)


def law(command, result):
    if "stop" in result:
        law(command, result["stop"])
    numbers, texts, own = cells_of(result)
    text = own or ""
    for start, pattern, _ in WORDS:
        if command.startswith(start):
            text = re.sub(pattern, " ", text)
    missing = [t for t in ALONE.findall(text) if not is_cell(t, numbers, texts)]
    if missing:
        bad.append("%s: %s in the text are no cells\n%s" % (command, missing[:6], own[:500]))


# ---- sessions ----

CLOCKS = ("stats", "info statistics")  # with the seconds that the host has taken
seen = set()


def start(example, mode, before, options):
    return [WARPSTEP, "-q", "--batch", "-m", mode, *options, "-ex", "cd " + FOLDERS[example]] + [a for l in before for a in ("-ex", l)]


def one_by_one(example, mode, before, lines, options):
    """The same commands with `--json FILE` each, the results by line."""
    files = [os.path.abspath("answer%d" % k) for k in range(len(lines))]
    args = start(example, mode, before, options)
    for l, f in zip(lines, files):
        if os.path.exists(f):
            os.remove(f)
        args += ["-ex", l if l.startswith("printf") else "%s --json %s" % (l, f)]
    subprocess.run(args, capture_output=True, text=True, check=False)
    return [json.load(open(f)) if os.path.exists(f) else None for f in files]


def session(example, mode, before, *lines, options=()):
    """Runs lines before the setting and lines after it; returns the results of these, by command (a second one of the same text as TEXT#2)."""
    args = start(example, mode, [*before, "set output json"], options)
    for l in lines:
        args += ["-ex", l]
    done = subprocess.run(args, capture_output=True, text=True, check=False)
    out, results = {}, []
    for l in done.stdout.splitlines():
        if not l.startswith('{"command"'):
            continue
        answer = json.loads(l)
        name, n = answer["command"], 1
        while (name if n == 1 else "%s#%d" % (name, n)) in out:
            n += 1
        out[name if n == 1 else "%s#%d" % (name, n)] = answer
        results.append(answer.get("result"))
        if "error" in answer:
            bad.append("%s %s: %s" % (mode, answer["command"], answer["error"]["message"]))
        else:
            expect("members of " + name, list(answer), ["command", "status", "result"])
            law(name, answer["result"])
    missing = [l for l in lines if l not in out]
    if missing:
        bad.append("%s: no answer to %s and %d more" % (mode, missing[0], len(missing) - 1))
    else:
        for l, line, alone in zip(lines, results, one_by_one(example, mode, before, lines, options)):
            seen.add(l)
            if l != "show" and not l.startswith(("printf", *CLOCKS)):  # `output` is another setting then
                expect("--json of " + l, {**(alone or {}), "command": l}, line)
    return {k: v.get("result", {}) for k, v in out.items()}


SAXPY = ["load saxpy.ptx", "buffer x f32[64] = iota", "buffer y f32[64] = fill 0.1", "buffer z f32[64] = zero"]
LAUNCH = "launch saxpy<<<(2,1,1), 32>>>(62, 2.0, x, y, z)"


def values(mode):
    a = session("saxpy", mode, [*SAXPY, LAUNCH, "stepi 9"],
                "print x[0..3]", "print/x 255", "print -1", "print 1.5", "print (f32[2][2])x", "print \"hi\"", "print threadIdx", "print x[3] > 2", "print &x[2]", "print 0.0/0",
                "output x[5]", "x/3fw x", "x/2xb x", "x/2i 0", "x/2dw z", "whatis x", "ptype x", "display x[1]", "display/i 0", "info display", "show values", "set var $n = 5",
                "show convenience", "show", "show listsize", "printf \"%d\\n\", 7", "print core[0].warp[0].used" if mode == "performance" else "print 3", "print $pc", "info registers", "info registers %r1 %tid.x pc",
                "info cycle", "info all-registers", "info locals", "info locals all", "info args", "info lanes %tid.x", "info lanes %laneid", "info lanes", "info lanes x[3]")
    p = a["print x[0..3]"]
    expect("print", [p["number"], p["expression"], p["type"], p["value"]], [1, "x[0..3]", "f32 [4]", [0.0, 1.0, 2.0, 3.0]])
    expect("values", [a[c]["value"] for c in ("print/x 255", "print -1", "print 1.5", "print (f32[2][2])x", "print \"hi\"", "print threadIdx", "print x[3] > 2", "output x[5]")],
           [255, -1, 1.5, [[0.0, 1.0], [2.0, 3.0]], "hi", {"x": 0, "y": 0, "z": 0}, 1, 5.0])
    expect("a NaN is a string", "nan" in a["print 0.0/0"]["value"], True)
    expect("an address", a["print &x[2]"]["value"] - a["x/3fw x"]["memory"][0]["address"], 8)
    expect("x", [m["value"] for m in a["x/3fw x"]["memory"]], [0.0, 1.0, 2.0])
    expect("x/i", [(i["address"], i["is_current"]) for i in a["x/2i 0"]["instructions"]], [(0, False), (8, False)])
    expect("types", [a["whatis x"]["type"], a["ptype x"]["type"]], ["f32 [64]", "f32 [64]"])
    expect("display", a["display x[1]"]["displays"], [{"number": 1, "display": "x[1]", "expression": "x[1]", "type": "f32", "value": 1.0}])
    expect("the session's values", [v["value"] for v in a["show values"]["values"]][:3], [[0.0, 1.0, 2.0, 3.0], 255, -1])
    expect("$n", {v["name"]: v["value"] for v in a["show convenience"]["variables"]}["n"], 5)
    three = a["info registers %r1 %tid.x pc"]["registers"]
    expect("registers", [r["name"] for r in three], ["%r1", "%tid.x", "pc"])
    expect("pc", three[2]["value"], a["print $pc"]["value"])
    expect("names", {r["name"] for r in a["info registers"]["registers"]} >= {"%r1", "%f1", "%p1"}, True)
    expect("kinds", {r["name"]: r["type"] for r in a["info registers"]["registers"]}["%p1"], "pred")
    args = a["info args"]["args"]
    expect("arguments", [v["value"] for v in args[:2]], [62, 2.0])
    expect("a pointer's allocation", [v["allocation"]["name"] for v in args[2:]], ["x", "y", "z"])
    expect("locals", a["info locals"]["locals"][0].keys() >= {"name", "type", "value"}, True)
    lanes = a["info lanes %tid.x"]
    expect("lanes", [v["value"] for v in lanes["lanes"]], list(range(32)))
    expect("pattern", [lanes["pattern"]["start"], lanes["pattern"]["step"], lanes["active"]], [0, 1, 2**32 - 1])
    expect("uniform", a["info lanes x[3]"]["pattern"]["value"], 3.0)
    expect("threads of the warp", [(r["lane"], r["uid"], r["thread"]) for r in a["info lanes"]["lanes"]][:2], [(0, 1, [0, 0, 0]), (1, 2, [1, 0, 0])])


def places(mode):
    store = line_of("saxpy", "saxpy.ptx", "st.global.f32")
    assign = line_of("saxpy", "saxpy.cu", "z[i] =")
    a = session("saxpy", mode, [*SAXPY, LAUNCH],
                "break saxpy.ptx:%d" % store, "tbreak saxpy.cu:%d" % assign, "watch z[3]", "catch barrier", "info breakpoints", "info watchpoints", "condition 1 $uid > 0", "ignore 3 2",
                "disable 4", "enable 4", "delete 2", "info breakpoints 1", "continue", "info program", "focus", "focus thread (3,0,0)", "cuda kernel block thread", "cuda", "thread", "thread 5",
                "frame", "info frame", "backtrace", "list", "list saxpy.cu:1,3", "list /s saxpy.cu:%d,%d" % (assign, assign + 1), "list 1,2", "search saxpy", "reverse-search elements", "info cuda", "info cuda devices", "info cuda sms", "info cuda warps", "info cuda lanes", "info cuda kernels",
                "info cuda blocks", "info cuda threads", "disassemble", "disassemble /c 0,+16",
                "disassemble /r 0,+8", "ptxdis 0 8", "info line saxpy.cu:%d" % assign, "info symbol 0", "info symbol &z[2]", "info address z", "info source", "info scope saxpy", "info types",
                "info access", "clear saxpy.ptx:%d" % store, "rbreak saxpy", "info functions", "info buffers", "info allocations", "info warps", "info threads", "info blocks", "info kernels", "info modules",
                "info launches", "info limits", "info variables", "info barriers", "info divergence", "info occupancy", "occupancy saxpy 96", "info simt-stack", "info config -gpgpu_n_clusters")
    b = a["break saxpy.ptx:%d" % store]
    expect("break", [b["number"], b["type"], b["enabled"], [(l["function"], l["ptx"]["line"], l["source"]["line"]) for l in b["locations"]]],
           [1, "breakpoint", True, [("saxpy", store, assign)]])
    expect("tbreak", a["tbreak saxpy.cu:%d" % assign]["disposition"], "del")
    w = a["watch z[3]"]
    expect("watch", [w["number"], w["expression"], w["size_bytes"], w["address"] - a["print &z[3]"]["value"] if "print &z[3]" in a else 0], [3, "z[3]", 4, 0])
    expect("catch", a["catch barrier"]["caught"], "barrier")
    expect("all", [p["number"] for p in a["info breakpoints"]["breakpoints"]], [1, 2, 3, 4])
    expect("watchpoints", [p["number"] for p in a["info watchpoints"]["watchpoints"]], [3])
    expect("numbers", [a[c]["numbers"] for c in ("disable 4", "enable 4", "delete 2")], [[4], [4], [2]])
    expect("condition", [p["condition"] for p in a["info breakpoints 1"]["breakpoints"]], ["$uid > 0"])
    stop = a["continue"]["stop"]
    expect("stop", [stop["reason"], stop["number"], stop["focus"]["ptx"]["line"]], ["breakpoint", 1, store])
    expect("info program", a["info program"]["stop"]["reason"], "breakpoint")
    expect("focus", a["focus"]["focus"], stop["focus"])
    expect("moved", [a["focus thread (3,0,0)"]["focus"][k] for k in ("thread", "uid", "lane", "grid")], [[3, 0, 0], 4, 3, 1])
    expect("words", [a["cuda kernel block thread"][k] for k in ("kernel", "block", "thread")], [0, [0, 0, 0], [3, 0, 0]])
    expect("search", [l["line"] for l in a["search saxpy"]["lines"]], [3])
    frames = a["backtrace"]["frames"]
    expect("frames", [(f["number"], f["function"], f["ptx"]["line"], f["source"]["line"]) for f in frames], [(0, "saxpy", store, assign)])
    expect("their arguments", [v["value"] for v in frames[0]["args"]][:2], [62, 2.0])
    expect("frame", [a[c]["frame"]["function"] for c in ("frame", "info frame")], ["saxpy"] * 2)
    source = open(os.path.join(FOLDERS["saxpy"], "saxpy.cu")).read().split("\n")
    expect("list", [(l["line"], l["text"]) for l in a["list saxpy.cu:1,3"]["lines"]], [(k + 1, source[k]) for k in range(3)])
    expect("the current line", [l["line"] for l in a["list"]["lines"] if l["is_current"]], [assign])
    counted = a["list /s saxpy.cu:%d,%d" % (assign, assign + 1)]["lines"][0]
    expect("counts", counted["executions"] > 0 and counted["lanes"], 32.0 if mode == "functional" else counted["lanes"])
    insns = a["disassemble"]["instructions"]
    expect("disassemble", [i["pc"] for i in insns], [8 * k for k in range(len(insns))])
    expect("current", [i["ptx"]["line"] for i in insns if i["is_current"]], [store])
    expect("decoded", "decoded" in a["disassemble /r 0,+8"]["instructions"][0], True)
    expect("counts of instructions", a["disassemble /c 0,+16"]["instructions"][0]["executions"] >= 1, True)
    expect("ptxdis", [i["pc"] for i in a["ptxdis 0 8"]["instructions"]], [0, 8])
    expect("info line", [l["source"]["line"] for l in a["info line saxpy.cu:%d" % assign]["locations"]], [assign])
    expect("symbols", [(a[c]["name"], a[c]["offset"]) for c in ("info symbol 0", "info symbol &z[2]")], [("saxpy", 0), ("z", 8)])
    expect("address", a["info address z"]["space"], "global")
    expect("source", [f["kind"] for f in a["info source"]["files"]], ["PTX", "CUDA"])
    access = a["info access"]
    expect("access", [access["which"], access["op"], access["size_bytes"], access["space"], access["step_bytes"], access["n_lanes"], access["wanted_bytes"]],
           ["next", "write", 4, "global", 4, 32, 128])
    expect("bytes of its transactions", sum(t["size_bytes"] for t in access["transactions"]), access["bytes"])
    expect("lanes of its transactions", access["lanes"], sum({t["lanes"] for t in access["transactions"]}) if len(access["transactions"]) > 1 else access["transactions"][0]["lanes"])
    expect("cleared", a["clear saxpy.ptx:%d" % store]["numbers"], [1])
    expect("rbreak", [p["locations"][0]["function"] for p in a["rbreak saxpy"]["breakpoints"]], ["saxpy"])
    expect("buffers", [(r["name"], r["bytes"]) for r in a["info buffers"]["buffers"]], [("x", 256), ("y", 256), ("z", 256)])
    expect("an option", [o["option"] for o in a["info config -gpgpu_n_clusters"]["options"]], ["gpgpu_n_clusters"])


def calls(mode):
    a = session("tree", mode, ["load tree.ptx"], "info functions", "info types")
    expect("functions", len(a["info functions"]["functions"]) >= 1, True)


def shared(mode):
    a = session("block-sum", mode, ["load block_sum.ptx", "buffer in s32[256] = fill 1", "buffer sums s32[2] = zero", "launch block_sum<<<1, 128>>>(in, sums)", "catch barrier", "continue", "continue"],
                "info barriers", "info warps", "delete 1", "break block_sum.ptx:%d" % line_of("block-sum", "block_sum.ptx", "ld.shared.u32", "%r15"), "continue", "info access", "why barrier", "why",
                "info statistics", "stats gpu_sim_insn", "stats summary", "stats --list gpu_sim_cycle")
    access = a["info access"]
    expect("banks", [access["space"], access["conflict"], access["cycles"], [b["bank"] for b in access["banks"]]], ["shared", 1, access["least_cycles"], list(range(32))])
    expect("barriers", [b["expected"] for b in a["info barriers"]["barriers"]], [128])
    expect("list", [s["name"] for s in a["stats --list gpu_sim_cycle"]["statistics"]], ["gpu_sim_cycle"])
    summary = a["stats summary"]
    expect("summary", [summary["launches"], summary["finished"], summary["mode"]], [1, 0, mode])
    expect("statistics", a["info statistics"]["statistics"]["gpu_sim_insn"], a["stats gpu_sim_insn"]["gpu_sim_insn"])


def stops(mode):
    """What a stop's text says of what has happened, as members of the stop."""
    store = line_of("saxpy", "saxpy.ptx", "st.global.f32")
    a = session("saxpy", mode, SAXPY, LAUNCH, "rwatch x[3]", "continue", "watch z[3]", "continue", "delete", "break saxpy.ptx:%d if $lane > 3" % store, "continue", "delete",
                "catch exit", "continue", "delete", "catch divergence", "launch saxpy<<<(2,1,1), 32>>>(40, 2.0, x, y, z)", "continue", "delete", "continue")
    changes = [a[c]["stop"]["changes"][0] for c in ("continue", "continue#2")]
    expect("a written value", [changes[1][k] for k in ("number", "expression", "old", "new", "access", "by", "thread", "launch")],
           [2, "z[3]", 0.0, f32(6.1), "written", "thread", [3, 0, 0], 0])
    expect("a read value", [changes[0][k] for k in ("number", "value", "access", "thread")], [1, 3.0, "read", [3, 0, 0]])
    expect("lanes of a condition", a["continue#3"]["stop"]["condition"], {"lanes": 0x7ffffff0})
    expect("a catchpoint", a["continue#4"]["stop"]["catch"], {"number": 4, "event": "exit"})
    expect("finished", a["continue#4"]["stop"]["kernels"], [{"launch": 0, "kernel": "saxpy", "event": "finished"}])
    expect("groups", sum(g["lanes"] for g in a["continue#5"]["stop"]["groups"]), 2**32 - 1)
    expect("launched", a["launch saxpy<<<(2,1,1), 32>>>(40, 2.0, x, y, z)"]["stop"]["kernels"], [{"launch": 1, "kernel": "saxpy", "event": "launched"}])
    fault = session("saxpy", mode, SAXPY, "launch saxpy<<<(3,1,1), 32>>>(64, 2.0, x, y, z)", "continue")["continue"]["stop"]["failure"]
    expect("a failure", [fault[k] for k in ("access", "space", "size_bytes", "thread", "block", "lanes")], ["read", "global", 4, [0, 0, 0], [2, 0, 0], 1])
    expect("a buffer's end", [fault["nearest"][k] for k in ("name", "size_bytes", "offset")], ["x", 256, 256])
    session("saxpy", mode, SAXPY, LAUNCH, "stepi", "nexti", "step", "next", "until", "info cycle")
    if mode == "performance":
        field = session("saxpy", mode, SAXPY, LAUNCH, "run-to-cycle 300", "watch core[1].warp[0].pc", "continue")["continue"]["stop"]["changes"][0]
        expect("a field", [field[k] for k in ("number", "expression")], [1, "core[1].warp[0].pc"])
    session("deposit", mode, ["load deposit.ptx", "buffer lock s32[1] = zero", "buffer balance s32[1] = zero", "buffer amounts s32[64] = fill 5"],
            "run deposit<<<1, 64>>>(lock, balance, amounts)")


def reasons(mode):
    """What test_reasons_json.sh compares; here the law alone."""
    session("saxpy", mode, ["set history on", *SAXPY, LAUNCH, "continue"], "who-wrote z[40]", "who-wrote x[3]", "who-wrote z[63]", "why z[40] 20", "why z[63]", "find-nan x", "find-nan")
    session("saxpy", mode, ["set history on", "set stalls on" if mode == "performance" else "set history on", *SAXPY, LAUNCH, "run-to-cycle %d" % (900 if mode == "performance" else 15)],
            "why", "why warp 0", "why hang", *(["info stalls", "info stalls warp 0"] if mode == "performance" else []))
    session("deposit", mode, ["load deposit.ptx", "buffer lock s32[1] = zero", "buffer balance s32[1] = zero", "buffer amounts s32[64] = fill 5",
                              "run deposit<<<1, 64>>>(lock, balance, amounts)"], "why", "why hang", "why warp 0")
    session("saxpy", mode, ["load ../../tests/golden/textures/filter.ptx"], "texture T f32[4,2] = iota", "surface S u32[4]", "bind image T", "info textures")
    a = session("saxpy", mode, ["load ../../tests/golden/tensor/mma.ptx", "buffer a f16[256] = fill 2", "buffer b f16[128] = fill 3", "buffer c f32[128] = iota", "set source ptx",
                                "break mma.ptx:178", "run mm<<<1, 32>>>(a, b, c)"], "info fragment", "info fragment %r57,%r58 b m16n8k16")
    matrices = {m["matrix"]: m for m in a["info fragment"]["matrices"]}
    expect("matrices at an mma", {n: (m["rows"], m["columns"], m["type"]) for n, m in matrices.items()}, {"A": (16, 16, "f16"), "B": (16, 8, "f16"), "C": (16, 8, "f32"), "D": (16, 8, "f32")})
    expect("a row of B", matrices["B"]["elements"][15], {"row": 15, **{str(c): 3 for c in range(8)}})
    session("particles", mode, ["set history on", "load particles.ptx", "buffer x f32[24] = random 1 0 10", "buffer y f32[24] = random 2 0 10", "buffer vx f32[24] = zero",
                                "buffer vy f32[24] = zero", "set x[17] = x[5]", "set y[17] = y[5]", "run push<<<1, 32>>>(24, 0.01, x, y, vx, vy)"], "find-nan vx", "why vx[5]")
    session("saxpy", mode, [*SAXPY, "buffer w f32[32] = zero", "run saxpy<<<2, 32>>>(62, 2.0, x, y, w)"], "info findings", "info findings 1", "info checkers", options=["--check", "memory"])
    session("block-sum", mode, ["set history on", "load block_sum.ptx", "buffer in s32[256] = fill 1", "buffer sums s32[2] = zero", "run block_sum<<<2, 128>>>(in, sums)"],
            "diff-launch 0 %s" % ("functional" if mode == "performance" else "performance"), "diff-launch 0 schedule 2")


def others(mode):
    a = session("saxpy", mode, ["set history on", "load saxpy.ptx"], "buffer x f32[64] = iota", "buffer y f32[64] = fill 0.1", "buffer z f32[64] = zero", LAUNCH, "checkpoint here",
                "stepi 5", "checkpoint", "info checkpoints", "stepi", "reverse-stepi", "simulate", "delete checkpoint 2",
                "struct Pair {f32 a, u32 b}", "assert x[3] == 3", "rwatch x[1]", "awatch x[2]", "tcatch exit", "dprintf saxpy.cu:12,\"at %d\\n\",1", "save x %s" % os.path.abspath("x.bin"),
                "compare x %s" % os.path.abspath("x.bin"), "check race on", "info all-registers %r1", "info stack", "info cores", "info samples", "info statistics",
                *(["schedule", "schedule 7 1 9", "schedule fuzz 2"] if mode == "functional" else ["ptx_tids2pcs 0,32 1", "ptxdis_func 1 0", "trace SCOREBOARD on", "info trace", "trace off"]))
    expect("buffer", [a["buffer x f32[64] = iota"][k] for k in ("name", "bytes")], ["x", 256])
    kept = a["info checkpoints"]["checkpoints"]
    expect("checkpoints", [(c["number"], c.get("name"), c["is_here"]) for c in kept], [(1, "here", False), (2, None, True)])
    expect("simulate", a["simulate"]["mode"], mode)
    if mode == "functional":
        expect("schedule", [a["schedule"]["seed"], a["schedule 7 1 9"]["to"], a["schedule fuzz 2"]["schedules"]], [0, 9, 2])
    else:
        expect("pcs", [t["tid"] for t in a["ptx_tids2pcs 0,32 1"]["threads"]], [0, 32])


def structures(mode):
    a = session("source", mode, ["load variables.ptx", "buffer results s32[4]", "set source cuda", "tbreak variables.cu:142", "run kinds<<<1,4>>>(results, 7, {s32 3, s32 4}, 1.5)"],
                "print pr", "print ne", "print der", "print grid", "print *&l2", "print text", "print -elements 3 -- zeros", "info locals", "info args", "ptype pr", "ptype /o struct bits",
                "backtrace", "backtrace full", "info scope kinds", "info frame", "break factorial", "continue", "up", "down", "info types point", "info symbol &n", "info lanes k")
    expect("structures", [a[c]["value"] for c in ("print pr", "print der", "print grid", "print text")],
           [{"p": [{"x": 1, "y": 2}, {"x": 3, "y": 4}], "w": 2.5}, {"__vptr": a["print der"]["value"]["__vptr"], "b": 4, "d": 1.5}, [[1, 2, 3], [4, 5, 6]], "hello"])
    expect("text that is pointed to", a["print ne"]["value"]["text"]["string"], "in global memory")
    expect("as many as were asked for", a["print -elements 3 -- zeros"]["value"], "")
    local = {v["name"]: v["value"] for v in a["info locals"]["locals"]}
    expect("locals", [local[n] for n in ("flag", "letter", "small", "large", "mask", "c", "m", "arr", "cv", "d")],
           [False, 97, -5, 2**40, str(2**64 - 1), "app::BLUE", "app::mode::on", [0, 11, 25], 12, 3.0])
    args = {v["name"]: v["value"] for v in a["info args"]["args"]}
    expect("arguments", [args["n"], args["start"], args["w"]], [7, {"x": 3, "y": 4}, 1.5])
    bits = a["ptype /o struct bits"]
    expect("members", [(m["name"], m["offset"], m["bit_size"]) for m in bits["members"]][0][:2], ("a", 0))
    full = a["backtrace full"]["frames"][0]
    expect("with variables", {v["name"]: v["value"] for v in full["locals"]}["large"], 2**40)
    expect("frames", [a["up"]["frame"]["function"], a["down"]["frame"]["function"]], ["kinds", "factorial"])
    expect("scope", {v["name"]: v["type"] for v in a["info scope kinds"]["variables"]}["grid"], "int [2][3]")


def machine():
    a = session("saxpy", "performance", [*SAXPY, "diagram on", LAUNCH, "run-to-cycle 900"], "dp 0", "dm 0", "dicnt", "diagram warp 0..1", "info cores", "info scoreboard", "info trace",
                "info fields core[].warps", "print core[1].warps", "print core[1].l1d", "dp 1", "info machine", "info samples")
    made = a["info machine"]
    expect("info machine: cores, their schedulers, partitions of GTX 480", [made["cores"], made["schedulers"], made["partitions"]], [15, 2, 6])
    expect("its issue slots", made["most_per_core_cycle"]["warp_instructions"], 30)
    expect("info samples", a["info samples"]["cycles"], list(range(128, 900, 128)))
    expect("dp", a["dp 1"]["core"]["warps"], a["print core[1].warps"]["value"])
    expect("a part", a["print core[1].l1d"]["value"], a["dp 1"]["core"]["l1d"])
    expect("dm", "dram" in a["dm 0"]["partition"], True)
    issued = a["diagram warp 0..1"]["instructions"]
    expect("diagram", [i["instruction"] for i in issued[:1]], ["ld.param.u32 %r2, [saxpy_param_0]"] if issued and a["diagram warp 0..1"]["core"] == 1 else [i["instruction"] for i in issued[:1]])


def dram():
    a = session("saxpy", "performance", [*SAXPY, LAUNCH, "run-to-cycle 900"], "info dram", "info dram standards", "dram replay ../dram/four.trace", "print dram.channel[0].reads",
                options=("-o", "-gpgpu_dram_standard DDR4 -gpgpu_dram_speed DDR4_2400R"))
    expect("info dram", (a["info dram"]["standard"], a["info dram"]["speed"]), ("DDR4", "DDR4_2400R"))
    expect("its reads", a["info dram"]["channels"][0]["reads"], a["print dram.channel[0].reads"]["value"])
    expect("info dram standards", [s["name"] for s in a["info dram standards"]["standards"]][-2:], ["TLDRAM", "DSARP"])
    figures = {f["name"]: f["value"] for f in a["dram replay ../dram/four.trace"]["statistics"]}
    # ACT in cycle 1, RD after tRCD 16, RD after tCCD_L 7 ...: the manual's example
    expect("dram replay", (figures["cycles"], figures["row_hits[0]"], figures["command_counts[ACT]"]), (121, 2, 2))


def streams():
    config = os.path.abspath(os.path.join(EXAMPLES, "..", "configs", "mondrian", "gpgpusim.config"))
    a = session("saxpy", "performance", ["load ../mondrian/write.ptx", "buffer w u32[8000] = zero", "launch write_bandwidth<<<1, 8>>>(0, 0, 8, " + ", ".join("&w[%d]" % (1000 * k) for k in range(8)) + ", 1000)",
                "run-to-cycle 1000"], "info stream-buffers", options=("-c", config))
    rows = a["info stream-buffers"]["streams"]
    # the streams take turns: their requests differ by one at most
    expect("info stream-buffers", (len(rows), max(r["left"] for r in rows) - min(r["left"] for r in rows) <= 1), (8, True))


# Subjects that want a CUDA program.
OF_PROGRAMS = {"info host", "info inferiors"}


def coverage():
    """Each command of the table that answers, and each subject of `info`, was asked for."""
    top = os.path.join(EXAMPLES, "..")
    commands = re.findall(r'^(?:TEXT|PAST)\("([^"]*)"', open(os.path.join(top, "src", "command", "commands.def")).read(), re.M)
    rows = re.search(r"info_rows\[\] = \{(.*?)^\};", open(os.path.join(top, "src", "command", "info", "info.c")).read(), re.M | re.S).group(1)
    wanted = commands + ["info " + n for n in re.findall(r'^\t\{"([a-z-]+)"', rows, re.M)]
    expect("commands that are asked for nowhere", [w for w in wanted if w not in OF_PROGRAMS and not any(re.match(re.escape(w) + r"(?![\w-])", l) for l in seen)], [])


def forms(mode):
    """`--json` of one command and its file; errors; stops; output."""
    run = [*SAXPY, LAUNCH]
    start = [WARPSTEP, "-q", "--batch", "-m", mode, "-ex", "cd " + FOLDERS["saxpy"]] + [a for l in run for a in ("-ex", l)]
    here = os.getcwd()
    done = subprocess.run(start + ["-ex", "print x[2] --json %s/one" % here, "-ex", "info args --json"], capture_output=True, text=True, check=False)
    one = json.load(open("one"))
    expect("--json FILE", [one["command"], one["value"], one["text"]], ["print x[2]", 2.0, "$1 = 2\n"])
    expect("--json", json.loads(done.stdout[done.stdout.index("\n{") :])["args"][0]["value"], 62)
    done = subprocess.run(start + ["-ex", "set output json", "-ex", "print nothing"], capture_output=True, text=True, check=False)
    error = json.loads(done.stdout.splitlines()[-1])
    expect("an error", [error["command"], error["status"], "nothing" in error["error"]["message"], done.stderr], ["print nothing", 1, True, ""])
    open("bad.ptx", "w").write(".version 6.0\n.target sm_70\n.address_size 64\n.entry k() {\n  bad;\n}\n")
    done = subprocess.run([WARPSTEP, "-q", "--batch", "-ex", "set output json", "-ex", "load bad.ptx"], capture_output=True, text=True, check=False)
    error = json.loads(done.stdout.splitlines()[-1])["error"]
    expect("an error's place", [error["file"], error["line"]], ["bad.ptx", 5])


def run(test, *args):
    try:
        test(*args)
    except (KeyError, IndexError) as e:  # the answer that is missing is in `bad`
        bad.append("%s %s: no %s" % (test.__name__, args, e))


for m in ("functional", "performance"):
    for t in (values, structures, places, calls, shared, stops, reasons, others, forms):
        run(t, m)
run(machine)
run(dram)
run(streams)
run(coverage)
print("\n".join(bad[:int(os.environ.get("MOST", "8"))]))
sys.exit(1 if bad else 0)
