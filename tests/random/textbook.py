#!/usr/bin/env python3
"""The textbook core against its independent model: the notes' examples and random kernels, row by row of `diagram --json`.

textbook.py [-w WARPSTEP] [-k FOLDER] [-s] examples|model|machines|SEED[..SEED] ...: examples: the table "The notes' own examples" through warpstep; model:
the same table through the model alone; machines: a kernel on each of -c cc10 to cc120; -k keeps k.ptx, script and rows there. Prints the first difference of each case; status 1 if there is one.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

from textbook_kernel import case, machines, on_machine
from textbook_model import Options, simulate
from textbook_ptx import ALL, Unsupported

BUFFERS = {"C": 0x10000000, "D": 0x20000000, "K": 0x30000000} # the model's addresses: no branch depends on them
HEAD = ".version 6.0\n.target sm_20\n.address_size 64\n.global .align 16 .b32 buf[4];\n.visible .entry k(.param .u64 p)\n{\n\t.reg .f32 %f<16>;\n\t.reg .b32 %r<16>;\n\t.reg .b64 %l<16>;\n\t.reg .pred %p<4>;\n"


def latencies(fp32, memory=400):
    return {"latency": dict.fromkeys(("FP32", "INT32", "FP64", "SFU", "CONTROL"), fp32), "memory": {"shared": 24, "global": memory}}


def units(fp32, sfu=8, ls=8, int32=0):
    return {"FP32": fp32, "INT32": int32, "FP64": 8, "SFU": sfu, "LS": ls}


THREE = "add.f32 %f1, %f2, %f3; add.f32 %f4, %f5, %f6; add.f32 %f7, %f1, %f8; exit;"
LOOP = """ld.param.u64 %l6, [p]; ld.param.u64 %l8, [p]; bra L; L: mov.b64 %l2, %l6; mov.b64 %l4, %l8; ld.global.f32 %f2, [%l2]; add.cc.u32 %r8, %r8, 4; mov.b32 %r5, %r9; add.s32 %r0, %r0, 1;
setp.ge.s32 %p0, %r0, 1; addc.u32 %r9, %r10, %r9; add.cc.u32 %r6, %r6, 4; addc.u32 %r3, %r10, %r3; add.f32 %f7, %f2, 0f3F800000; st.global.f32 [%l4], %f7; @!%p0 bra L; exit;"""
SINES = """mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 33; setp.eq.u32 %p1, %r2, 1; @%p1 bra C;
sin.approx.f32 %f1, %f1; sin.approx.f32 %f1, %f1; sin.approx.f32 %f1, %f1; sin.approx.f32 %f1, %f1; bra E;
C: cos.approx.f32 %f1, %f1; cos.approx.f32 %f1, %f1; cos.approx.f32 %f1, %f1; cos.approx.f32 %f1, %f1; E: st.global.f32 [buf], %f1; exit;"""
# name, code, threads, options, issue cycles by warp; a first cycle above 0: how many instructions of each warp lie in front, and the cycle that counts as 0
EXAMPLES = [
    ("CC 1.0, two independent instructions", "add.f32 %f1, %f2, %f3; sin.approx.f32 %f4, %f5; exit;", 32, {"units": units(8, 2), **latencies(24)}, {0: [0, 4, 20]}, 0, 0),
    ("CC 1.0, two warps, I3 reads I1", THREE, 64, {"units": units(8, 2), **latencies(24)}, {0: [0, 8, 24], 1: [4, 12, 28]}, 0, 0),
    ("CC 2.0, four warps, I3 reads I1", THREE, 128, {"schedulers": 2, "units": units(32), **latencies(24)}, {0: [0, 4, 24], 1: [0, 4, 24], 2: [2, 6, 26], 3: [2, 6, 26]}, 0, 0),
    ("CC 6.1, load, add, store, branch", "L: ld.global.f32 %f2, [buf]; add.f32 %f7, %f2, 0f3F800000; st.global.f32 [buf], %f7; @%p1 bra L; exit;", 32,
     {"units": units(32, 8, 16), **latencies(6)}, {0: [0, 400, 406, 408]}, 0, 0),
    ("CC 6.1, the compiler's loop", LOOP, 32, {"units": units(32, 8, 16, 32), **latencies(6)}, {0: [0, 1, 6, 8, 9, 10, 16, 17, 18, 24, 406, 412, 414]}, 3, None),
    ("single issue, two schedulers", "ld.global.f32 %f2, [buf]; add.f32 %f7, %f2, 0f3F800000; exit;", 128, {"schedulers": 2, "units": units(64, 8, 32), **latencies(6)},
     {0: [0, 400], 1: [0, 400], 2: [2, 402], 3: [2, 402]}, 0, 0),
    ("dual issue", "add.f32 %f1, %f2, %f3; add.f32 %f4, %f5, %f6; mul.f32 %f7, %f2, %f3; mul.f32 %f8, %f2, %f3; ld.global.f32 %f9, [buf]; ld.global.f32 %f10, [buf+4]; exit;", 128,
     {"schedulers": 2, "width": 2, "units": units(128, 8, 32), **latencies(6)}, {0: [0, 0, 2, 2, 4, 8], 1: [0, 0, 2, 2, 4, 8], 2: [1, 1, 3, 3, 6, 10], 3: [1, 1, 3, 3, 6, 10]}, 0, 0),
    ("divergence", SINES, 64, {"units": units(8), **latencies(24, 24)},
     {0: [0, 24, 48, 72, 96, 104, 128, 152, 176, 200, 224], 1: [4, 28, 52, 76, 100, 108, 132]}, 3, None),
]


def examples():
    """Cases as case() makes them, with the cycles that the notes give."""
    for name, code, threads, options, want, skip, first in EXAMPLES:
        lines = [s.strip() for s in code.replace("\n", " ").split(";")]
        text = HEAD + "".join("\t%s;\n" % s for s in lines if s) + "}\n"
        yield name, text, Options(**options), {"kernel": "k", "grid": (1, 1), "block": (threads, 1), "blocks": 1, "threads": threads, "shared": 0}, want, skip, first


def in_the_notes(rows, want, skip, first):
    """What differs from the notes' issue cycles."""
    got = {}
    for r in rows:
        got.setdefault(r["warp"], []).append(r["issue"])
    base = min(g[skip] for g in got.values()) if first is None else first
    for w in want:
        have = [t - base for t in got[w][skip:skip + len(want[w])]]
        if have != want[w]:
            return "warp %d: the notes say %s, here %s" % (w, want[w], have)
    return None


def option_lines(o):
    """The options as warpstep takes them."""
    if o.machine:
        return ["-gpgpu_kernel_registers k:8"]
    u, latency = o.units, o.latency
    kinds = ("FP32", "INT32", "FP64", "SFU")
    return ["-gpgpu_core_model textbook", "-gpgpu_textbook_schedulers %d" % o.schedulers, "-gpgpu_textbook_issue_width %d" % o.width, "-gpgpu_textbook_pairs %s" % o.pairs,
            "-gpgpu_textbook_units %s" % ",".join(str(u[k]) for k in kinds + ("LS",)), "-gpgpu_textbook_latency %s" % ",".join(str(latency[k]) for k in kinds + ("CONTROL",)),
            "-gpgpu_textbook_memory_latency %d,%d" % (o.memory["shared"], o.memory["global"]), "-gpgpu_textbook_policy %s" % o.policy, "-gpgpu_n_clusters %d" % (o.cores // o.per_cluster),
            "-gpgpu_n_cores_per_cluster %d" % o.per_cluster, "-gpgpu_shader_core_pipeline %d:32" % (32 * o.warps), "-gpgpu_shader_cta %d" % o.blocks, "-gpgpu_shader_registers 262144",
            "-gpgpu_shmem_size %d" % o.shared_bytes]


def memory_of(launch):
    """Initial words and arguments, as the script of run_warpstep makes them."""
    total = launch["blocks"] * launch["threads"]
    words = {BUFFERS["C"] + 4 * k: 3 + 5 * k for k in range(total)}
    return words, {"pC": BUFFERS["C"], "pD": BUFFERS["D"], "pK": BUFFERS["K"], "p": BUFFERS["D"], "n": 5, "x": None, "y": None}


def walk(seed, rows):
    """Commands that stop, step, go back and take back in the first half of the launch, and then run to the end."""
    rng, commands = random.Random(seed), []
    last = max(r["issue"] for r in rows)
    half = max(1, last // 2)
    for _ in range(rng.randrange(1, 6)):
        at = rng.randrange(half)
        commands += ["goto-cycle %d" % at] + rng.choice([["diagram"] if at > 2 else [], [], []])
        standing, ahead = set(), []
        for r in rows:
            if at <= r["issue"] < half:
                if (r["core"], r["warp"]) in standing: # a warp doesn't stop where it stands
                    ahead.append(r["pc"])
                standing.add((r["core"], r["warp"]))
        if ahead and rng.random() < 0.5:
            commands += ["tbreak *%d" % rng.choice(ahead), "continue", "delete"]
        for _ in range(rng.randrange(3)):
            commands.append(rng.choice(["step %d", "rs %d", "rsi %d", "stepi %d"]) % rng.randrange(1, 3))
        if commands[-1].startswith("step"):
            commands += rng.choice([["undo"], [], []])
        commands += rng.choice([["checkpoint"], ["info warps"], ["info stalls"], [], [], []])
    return ["step 1"] + commands + ["goto-cycle %d" % rng.randrange(half), "continue"] if last > 20 else ["step 1", "rs 1", "continue"]


def run_warpstep(warpstep, folder, text, o, launch, steps):
    """Rows and gpu_sim_cycle, or a message. steps: commands between the launch and its end, or None."""
    total = launch["blocks"] * launch["threads"]
    arguments = "D" if "pC" not in text else "C, D, K, 5, 1.5, 2.5"
    script = ["load k.ptx", "buffer C u32[%d] = iota 3 5" % total, "buffer D f32[%d] = iota" % (4 * total), "buffer K u32[8] = zero", "diagram on"]
    script += ["set history on", "launch %s(%s)" % (shape(launch), arguments)] + steps if steps else ["run %s(%s)" % (shape(launch), arguments)]
    script += ["diagram --json rows.json", "stats gpu_sim_cycle"]
    for name, content in (("k.ptx", text), ("k.ws", "\n".join(script) + "\n")):
        with open(os.path.join(folder, name), "w", encoding="ascii") as f:
            f.write(content)
    args = [warpstep, "--batch", "-n", "-m", "performance"] + (["-c", o.machine] if o.machine else [])
    for line in option_lines(o):
        args += ["-o", line]
    args += ["-x", "k.ws"]
    with open(os.path.join(folder, "command"), "w", encoding="ascii") as f:
        f.write(" ".join("'%s'" % a if " " in a else a for a in args) + "\n")
    p = subprocess.run(args, capture_output=True, text=True, timeout=120, cwd=folder, check=False)
    if p.returncode:
        return None, None, "status %d: %s" % (p.returncode, (p.stdout + p.stderr)[-800:])
    with open(os.path.join(folder, "rows.json"), encoding="utf-8") as f:
        rows = json.load(f)["instructions"]
    cycles = [line.split("=")[1] for line in p.stdout.split("\n") if line.startswith("gpu_sim_cycle")]
    return rows, int(cycles[0]) if cycles else None, None


def shape(launch):
    return "k<<<(%d, %d), (%d, %d), %d>>>" % (*launch["grid"], *launch["block"], launch["shared"])


def lanes_of(v):
    return int(v, 0) if isinstance(v, str) else v


COMPARED = ("core", "warp", "scheduler", "pc", "lanes", "issue", "dispatched", "ready")


def first_difference(want, cycles, got, got_cycles):
    key = lambda r: (r["issue"], r["core"], r["scheduler"], r["warp"], r["pc"])
    want, got = sorted(want, key=key), sorted(got, key=key)
    for k in range(max(len(want), len(got))):
        a, b = want[k] if k < len(want) else None, got[k] if k < len(got) else None
        differ = "all" if a is None or b is None else ", ".join(n for n in COMPARED if (lanes_of(a[n]) != lanes_of(b[n]) if n == "lanes" else a[n] != b[n]))
        if differ:
            near = [("  " if n < k else "* ") + "%-5s %s" % (who, show(r)) for n in range(max(0, k - 3), k + 1) for who, rows in (("model", want), ("here", got)) for r in rows[n:n + 1]]
            return "row %d of %d (here %d) differs in %s\n%s" % (k, len(want), len(got), differ, "\n".join(near))
    return None if cycles == got_cycles else "gpu_sim_cycle: model %s, here %s" % (cycles, got_cycles)


def show(r):
    return "core %d warp %-2d scheduler %d pc %-4d lanes %08x issue %-5d dispatched %-5d ready %-5s %s" % (
        r["core"], r["warp"], r["scheduler"], r["pc"], lanes_of(r["lanes"]) & ALL, r["issue"], r["dispatched"], r["ready"], r.get("text", ""))


class Runner:
    def __init__(self, warpstep, keep, steps):
        self.warpstep, self.keep, self.steps, self.bad, self.done, self.skipped, self.rows = warpstep, keep, steps, 0, 0, 0, 0

    def say(self, name, what, o, launch):
        self.bad += 1
        print("%s: %s\n  %s %s" % (name, what, shape(launch), o.machine or " ".join(line.replace("-gpgpu_textbook_", "") for line in option_lines(o)[1:])), flush=True)

    def one(self, name, text, o, launch, notes=None):
        memory, arguments = memory_of(launch)
        try:
            rows, cycles = simulate(text, o, launch, memory, arguments)
        except Unsupported:
            self.skipped += 1
            return
        self.done += 1
        self.rows += len(rows)
        wrong = notes(rows) if notes else None
        if wrong:
            self.say(name, "the model is wrong: " + wrong, o, launch)
        if self.warpstep and not wrong:
            with tempfile.TemporaryDirectory() as folder:
                if self.keep:
                    folder = os.path.join(self.keep, name.replace(" ", "-").replace(",", ""))
                    os.makedirs(folder, exist_ok=True)
                    with open(os.path.join(folder, "model"), "w", encoding="ascii") as f:
                        f.write("\n".join(map(show, rows)) + "\ngpu_sim_cycle = %d\n" % cycles)
                got, got_cycles, error = run_warpstep(self.warpstep, folder, text, o, launch, walk(text, rows) if self.steps else None)
            wrong = error or first_difference(rows, cycles, got, got_cycles)
            if wrong:
                self.say(name, wrong, o, launch)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    p.add_argument("-w", "--warpstep", default=os.environ.get("WARPSTEP", os.path.join(root, "build", "release", "warpstep")))
    p.add_argument("-k", "--keep", help="folder for the files of each case")
    p.add_argument("-s", "--steps", action="store_true", help="step, go back and take back before each launch runs to its end")
    p.add_argument("what", nargs="+")
    a = p.parse_args()
    r = Runner(os.path.abspath(a.warpstep), a.keep and os.path.abspath(a.keep), a.steps)
    for what in a.what:
        if what in ("examples", "model"):
            r.warpstep = r.warpstep if what == "examples" else None
            for name, text, o, launch, want, skip, first in examples():
                r.one(name, text, o, launch, lambda rows, w=want, s=skip, f=first: in_the_notes(rows, w, s, f))
        elif what == "machines":
            for o in machines():
                r.one(o.machine, *on_machine(o))
        else:
            first, _, last = what.partition("..")
            for seed in range(int(first), int(last or first) + 1):
                r.one("seed %d" % seed, *case(seed))
    print("%d cases, %d rows of the model, %d without an answer of the model, %d differ" % (r.done, r.rows, r.skipped, r.bad))
    return 1 if r.bad else 0


if __name__ == "__main__":
    sys.exit(main())
