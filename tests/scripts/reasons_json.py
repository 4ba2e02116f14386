"""Reports as JSON: of sessions on the examples, in both modes. What is expected comes from the sources (lines of the .ptx that hold an instruction), from
what the kernels compute (saxpy: z[i] = 2 x[i] + y[i]), and from `stats --json` and `--report`, which count the same."""
import json
import os
import struct
import subprocess
import sys

WARPSTEP, EXAMPLES = sys.argv[1:]
FOLDERS = {n[3:]: os.path.join(EXAMPLES, n) for n in os.listdir(EXAMPLES) if n[:2].isdigit()}
bad = []


def expect(what, got, want):
    if got != want:
        bad.append("%s: %r, expected %r" % (what, got, want))


def session(example, mode, *lines, status=0, options=()):
    """Runs lines in an example's folder, history on; what the files named in them hold."""
    names = [l.split("--json ")[1] for l in lines if "--json " in l and '"' not in l]
    args = [WARPSTEP, "-q", "--batch", "-m", mode, *options, "-ex", "set history on", "-ex", "cd " + FOLDERS[example]]
    here = os.getcwd()
    for l in lines:
        args += ["-ex", l if '"' in l else l.replace("--json ", "--json %s/" % here)]
    done = subprocess.run(args, capture_output=True, text=True, check=False)
    expect("status of %s %s" % (example, mode), done.returncode, status)
    if done.returncode != status:
        bad.append(done.stdout[-600:] + done.stderr[-600:])
    return [json.load(open(n)) for n in names if os.path.exists(n)], done


def line_of(example, file, *words):
    """Of the only line with these words."""
    text = open(os.path.join(FOLDERS[example], file)).read().splitlines()
    found = [k + 1 for k, l in enumerate(text) if all(w in l for w in words)]
    assert len(found) == 1, (file, words, found)
    return found[0]


def nodes(tree):
    for n in tree:
        yield n
        yield from nodes(n.get("from", []))


def f32(v):
    return struct.unpack("f", struct.pack("f", v))[0]


SAXPY = ["load saxpy.ptx", "buffer x f32[64] = iota", "buffer y f32[64] = fill 0.1", "buffer z f32[64]"]


def saxpy(mode):
    reports, _ = session("saxpy", mode, *SAXPY, "run saxpy<<<1, 64>>>(62, 2.0, x, y, z)", "who-wrote z[40] --json wrote", "who-wrote x[3] --json host",
                         "who-wrote z[63] --json nobody", "why z[40] 20 --json why", "why z[63] --json never")
    wrote, host, nobody, why, never = reports
    w = wrote["write"]
    expect("command", wrote["command"], "who-wrote z[40]")
    expect("by", [r["write"]["by"] for r in (wrote, host, nobody)], ["thread", "host", "nobody"])
    expect("who", [w["uid"], w["thread"], w["block"], w["launch"]], [41, [40, 0, 0], [0, 0, 0], 0])
    store = line_of("saxpy", "saxpy.ptx", "st.global.f32")
    expect("where", [w["ptx"], w["source"]], [{"file": "saxpy.ptx", "line": store}, {"file": "saxpy.cu", "line": line_of("saxpy", "saxpy.cu", "z[i] =")}])
    z = f32(2 * 40 + f32(0.1))
    expect("change", [w["before"], w["after"]], [0.0, z])
    expect("what of the host's", host["write"]["what"], "buffer x")
    expect("cycle", wrote["cycle"] > w["cycle"], True)
    expect("text", str(store) in wrote["text"] and wrote["text"].count("\n") == 1, True)
    # the whole tree: the fma's operands, the loads' memory, the host's buffers, the parameters
    all_of = list(nodes(why["chain"]))
    fma = [n for n in all_of if n.get("instruction", "").startswith("fma.rn.f32") and "above" not in n]
    expect("roots", [n["name"] for n in why["chain"]], ["z[40]"])
    expect("fma", [(n["value"], [o["value"] for o in n["from"]]) for n in fma], [(z, [40.0, 2.0, f32(0.1)])])
    expect("kinds", {n["kind"] for n in all_of}, {"memory", "register", "parameter", "constant", "special"})
    expect("from the host", sorted((n["name"], n["value"], n["what"]) for n in all_of if n.get("by") == "host"),
           [("x[40]", 40.0, "buffer x"), ("y[40]", f32(0.1), "buffer y")])
    expect("parameters", {n["name"] for n in all_of if n["kind"] == "parameter"} , {"saxpy_param_1", "saxpy_param_2", "saxpy_param_3"})
    expect("special", [n["value"] for n in all_of if n["name"] == "%tid.x"], [40])
    expect("lines", why["text"].count("\n"), len(all_of))
    lines = open(os.path.join(FOLDERS["saxpy"], "saxpy.ptx")).read().splitlines()
    for n in all_of:
        if n["kind"] == "register":
            line = lines[n["ptx"]["line"] - 1]
            expect("the line of " + n["instruction"], line.split()[0] == n["instruction"].split()[0] and n["name"] in line.split(",")[0], True)
    expect("uninitialised", [(n["name"], n["mark"]) for n in never["chain"]], [("z[63]", "uninitialised")])


def warps(mode):
    reports, _ = session("saxpy", mode, *SAXPY, "launch saxpy<<<1, 64>>>(62, 2.0, x, y, z)", "stepi", "run-to-cycle %d" % (900 if mode == "performance" else 15),
                         "why warp 0 --json warp", "why --json here", "info warps")
    warp, here = reports
    w = warp["warps"][0]
    expect("the focused warp", here["warps"], warp["warps"])
    expect("warp", [w["warp"], w["block"], len(warp["warps"])], [0, [0, 0, 0], 1])
    if mode == "functional":
        expect("wait", w["wait"], "turn")
        return
    expect("wait", [w["wait"], w["instruction"].split()[0], [h["registers"] for h in w["hazards"]]], ["scoreboard", "fma.rn.f32", [["%f3"]]])
    request = w["hazards"][0]["requests"][0]
    reports, _ = session("saxpy", mode, *SAXPY, "launch saxpy<<<1, 64>>>(62, 2.0, x, y, z)", "run-to-cycle 900",
                         "why request %d --json request" % request["request"])
    expect("request", reports[0]["requests"], [request])
    made = reports[0]["made"]
    expect("made", [made["size"], made["warp"], made["lanes"], made["instruction"]], [128, 0, 2**32 - 1, w["hazards"][0]["instruction"]])


def stalls():
    reports, _ = session("saxpy", "performance", "set stalls on", *SAXPY, "run saxpy<<<1, 64>>>(62, 2.0, x, y, z)", "info stalls --json all",
                         "info stalls warp 1 --json warp", "stats --json stats")
    report, warp, stats = reports
    turns = ["issued", "W0_Idle", "W0_Scoreboard", "Stall"]
    for s in report["schedulers"] + [report["all"]]:
        expect("a scheduler's cycles", s["cycles"], sum(s[t] for t in turns))
    for t in ["cycles"] + turns:
        expect("sum of " + t, sum(s[t] for s in report["schedulers"]), report["all"][t])
    for t in turns[1:3]:
        expect(t, report["all"][t], stats[t])
    expect("reasons", sum(r["cycles"] for r in report["reasons"]), report["all"]["cycles"] - report["all"]["issued"])
    for r in report["reasons"]:
        if r["reason"] != "gone":
            expect("places of " + r["reason"], sum(p["cycles"] for p in r["places"]), r["cycles"])
    w = warp["warps"][0]
    expect("a warp", [w["cycles"], w["lost"]], [w["issued"] + w["lost"], sum(r["cycles"] for r in w["reasons"])])


def stuck(mode):
    hang = ["load deposit.ptx", "buffer lock s32[1] = zero", "buffer balance s32[1] = zero", "buffer amounts s32[64] = fill 5",
            "run deposit<<<1, 64>>>(lock, balance, amounts)", "why --json hang", "why hang --json hang2"]
    reports, _ = session("deposit", mode, *hang, status=4)
    expect("the same", reports[0]["blocks"], reports[1]["blocks"])
    report = reports[0]
    expect("deadlock", [report["deadlock"], report["warps_that"]["spin"], len(report["blocks"])], [True, 2, 1])
    cas = line_of("deposit", "deposit.ptx", "atom.global.cas")
    for w in report["blocks"][0]["warps"]:
        expect("spins", [w["wait"], [(r["name"], r["value"], r["ptx"]["line"]) for r in w["reads"]]], ["spins", [("lock[0]", 1, cas)]])
        expect("loop", w["from"]["ptx"]["line"] <= cas <= w["to"]["ptx"]["line"], True)
    barrier = ["load block_sum.ptx", "buffer in s32[256] = fill 1", "buffer sums s32[2] = zero", "launch block_sum<<<1, 128>>>(in, sums)",
               "catch barrier", "continue", "continue", "why barrier --json barrier"]
    reports, _ = session("block-sum", mode, *barrier)
    b = reports[0]["barriers"][0]
    expect("barrier", [b["barrier"], b["waits_for"], b["has"], b["exited"]], [0, 128, 32 * len(b["arrived"]), []])
    expect("all warps", sorted(w["warp"] for w in b["arrived"] + b["missing"]), [0, 1, 2, 3])
    expect("lanes", {w["lanes"] for w in b["arrived"] + b["missing"]}, {2**32 - 1})


def others(mode):
    nan = ["load particles.ptx", "buffer x f32[24] = random 1 0 10", "buffer y f32[24] = random 2 0 10", "buffer vx f32[24] = zero",
           "buffer vy f32[24] = zero", "set x[17] = x[5]", "set y[17] = y[5]", "run push<<<1, 32>>>(24, 0.01, x, y, vx, vy)", "find-nan vx --json nan",
           "find-nan x --json none", "print vx[5]", "why vx[5] --json why"]
    reports, done = session("particles", mode, *nan)
    n = reports[0]["births"][0]
    expect("born", [n["buffer"], n["not_finite"], n["is"], n["by"], n["source"]["line"], [o["value"] for o in n["operands"]]],
           ["vx", 2, "NaN", "thread", line_of("particles", "particles.cu", "float ux = dx / d"), [0.0, 0.0]])
    expect("way", n["instructions"], sum(w["times"] for w in n["way"]))
    expect("none", reports[1]["births"], [])
    expect("a value that JSON has not", "$1 = %s\n" % reports[2]["chain"][0]["value"] in done.stdout, True)
    launch = ["load block_sum.ptx", "buffer in s32[256] = fill 1", "buffer sums s32[2] = zero", "run block_sum<<<2, 128>>>(in, sums)",
              "diff-launch 0 %s --json diff" % ("functional" if mode == "performance" else "performance"), "diff-launch 0 schedule 2 --json same"]
    reports, _ = session("block-sum", mode, *launch)
    diff = reports[0]
    expect("differs", [diff["difference"], diff["register"], [s["instruction"].split()[0] for s in diff["sides"]], {s["uid"] for s in diff["sides"]} <= set(range(1, 257))],
           ["value", "%r15", ["ld.shared.u32"] * 2, True])
    expect("values", sorted(s["value"] for s in diff["sides"]), [0, 1])
    if mode == "performance":
        expect("none differs", [reports[1]["difference"], reports[1]["threads"]], ["none", 256])


def findings(mode):
    run = ["load saxpy.ptx", "buffer x f32[256] = iota", "buffer y f32[256] = fill 1", "buffer z f32[200] = zero", "run saxpy<<<4, 64>>>(200, 2.0, x, y, z)",
           "info findings --json all", "info findings 1 --json one"]
    reports, _ = session("saxpy", mode, *run, status=3, options=["--check", "memory", "--report", os.path.abspath("report")])
    report = json.load(open("report"))
    expect("as --report", [reports[0]["findings"], reports[0]["summary"]], [report["findings"], report["summary"]])
    expect("one", reports[1]["findings"], report["findings"][:1])
    expect("the access", [report["findings"][0]["access"][k] for k in ("uid", "size", "variable")], [201, 4, "z"])


def files():
    """Where the JSON goes: names with blanks, printed, not written."""
    run = [*SAXPY, "run saxpy<<<1, 64>>>(62, 2.0, x, y, z)"]
    session("saxpy", "functional", *run, "who-wrote z[1] --json a b", 'who-wrote z[1] --json "%s/c d"' % os.getcwd())
    expect("written", json.load(open("a b")), json.load(open("c d")))
    args = [a for l in run for a in ("-ex", l)]
    start = [WARPSTEP, "-q", "--batch", "-m", "functional", "-ex", "set history on", "-ex", "cd " + FOLDERS["saxpy"]] + args
    done = subprocess.run(start + ["-ex", "why z[1] 1 --json -"], capture_output=True, text=True, check=False)
    expect("printed", json.loads(done.stdout[done.stdout.index("{"):])["chain"][0]["value"], f32(2 + f32(0.1)))
    bare = subprocess.run(start + ["-ex", "why z[1] 1 --json"], capture_output=True, text=True, check=False)
    expect("printed without a name, too", bare.stdout.split("finished")[1].replace("--json -", "--json"), done.stdout.split("finished")[1])
    for line, message in (("who-wrote q --json -", 'No symbol "q"'),
                          ("why z[1] --json /no/such/file", "can't write '/no/such/file'")):
        done = subprocess.run(start + ["-ex", line], capture_output=True, text=True, check=False)
        expect(line, [done.returncode, message in done.stderr, "{" in done.stdout.split("finished")[1]], [1, True, False])


for m in ("performance", "functional"):
    for test in (saxpy, warps, stuck, others, findings):
        test(m)
stalls()
files()
print("\n".join(bad[:8]))
sys.exit(1 if bad else 0)
