#!/usr/bin/env python3
"""Asking for reasons changes nothing: sessions drawn at random on the examples, forwards and backwards, with and without `why`, `who-wrote`, `find-nan`
and `diff-launch` at their stops, say the same of everything else. looks.py WARPSTEP EXAMPLES SEED [COUNT]: prints the first difference; status 1."""
import difflib
import random
import re
import subprocess
import sys

SETUPS = {
    "01-saxpy": (["load saxpy.ptx", "buffer x f32[256] = iota", "buffer y f32[256] = fill 1", "buffer z f32[200] = zero"],
                 "saxpy<<<4, 64>>>(256, 2.0, x, y, z)", ["z[3]", "x[5]", "%r1", "%f4", "z[150]"], ["saxpy.ptx:55", "saxpy.ptx:60"]),
    "02-block-sum": (["load block_sum.ptx", "buffer in s32[256] = fill 1", "buffer sums s32[2] = zero"],
                     "block_sum<<<2, 128>>>(in, sums)", ["sums[0]", "%r1", "shared[0x10]", "in[7]"], ["block_sum.cu:17", "block_sum.cu:22"]),
    "04-histogram": (["load histogram.ptx", "buffer data u8[1024] = iota 0 5", "buffer bins u32[128] = zero"],
                     "histogram<<<4, 128>>>(1024, data, bins)", ["bins[3]", "data[9]", "%r1", "bins[0]"], ["histogram.cu:16"]),
    "07-deposit": (["load deposit.ptx", "buffer lock s32[1] = zero", "buffer balance s32[1] = zero", "buffer amounts s32[64] = fill 5"],
                   "deposit<<<3, 1>>>(lock, balance, amounts)", ["balance[0]", "lock[0]", "%r8"], ["deposit.cu:13"])}
LOOKS = ["find-nan", "diff-launch 0 functional", "diff-launch 0 performance", "diff-launch 0 schedule 2", "diff-launch 0 1", "why", "why warp", "why hang",
         "why barrier"]


def moves_of(rng, launch, expressions, places):
    out = [rng.choice([f"b {rng.choice(places)}", f"watch {expressions[0]}", "p 1", f"b {rng.choice(places)} if $cycle % 2"]),
           rng.choice(["run ", "launch "]) + launch]
    for _ in range(rng.randrange(4, 9)):
        out.append(rng.choice(["c", "c", "stepi 7", "step 20", f"run-to-cycle {rng.randrange(100, 2000)}", "rs 5", "rsi 2", "rc", "n", "finish", "undo",
                               f"goto-cycle {rng.randrange(50, 1500)}", "run " + launch, "rn"]))
        out.append("p $cycle")
    return out


def session(warpstep, mode, folder, lines):
    text = "\n".join(lines) + "\nstats gpu_*\nq\ny\n"
    p = subprocess.run([warpstep, "-q", "-m", mode], input=text, capture_output=True, text=True, timeout=60, cwd=folder, check=False)
    return p.returncode, re.sub(r"@\[\n.*?@\]\n", "", p.stdout, flags=re.S)


def check(warpstep, examples, seed):
    rng = random.Random(seed)
    name, mode = rng.choice(list(SETUPS)), rng.choice(["functional", "performance"])
    setup, launch, expressions, places = SETUPS[name]
    lines = ["set history on"] + setup
    if rng.random() < 0.4:
        lines += ["check all on", "set check-action " + rng.choice(["stop", "report"])]
    moves = moves_of(rng, launch, expressions, places)
    looks = LOOKS + [f"{c} {e}" for c in ("why", "who-wrote") for e in expressions]
    with_looks = list(lines)
    for m in moves:
        with_looks.append(m)
        for _ in range(0 if m.startswith("p ") else rng.randrange(3)):
            with_looks += ["echo @[\\n", rng.choice(looks), "echo @]\\n"]
    a = session(warpstep, mode, f"{examples}/{name}", lines + moves)
    b = session(warpstep, mode, f"{examples}/{name}", with_looks)
    if a == b:
        return True
    print(f"seed {seed}, {name}, {mode}: status {a[0]} and {b[0]}")
    print("\n".join(with_looks))
    print("\n".join(list(difflib.unified_diff(a[1].split("\n"), b[1].split("\n"), "without", "with", lineterm="", n=2))[:30]))
    return False


def main():
    warpstep, examples, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    return 0 if all(check(warpstep, examples, k) for k in range(seed, seed + count)) else 1


if __name__ == "__main__":
    sys.exit(main())
