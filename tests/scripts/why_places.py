#!/usr/bin/env python3
"""What `why warp` and `why request` say of warps and requests, compared with the dumps of the same moment: dp, dm.
why_places.py WARPSTEP CONFIG SESSION CYCLE... [--option OPTION]: SESSION launches; prints what doesn't agree, status 1."""
import re
import subprocess
import sys

PARTITION = {"ROP delay": "ROP delay queue", "network to L2": "ICNT->L2 queue", "L2 miss queue": "L2 miss queue", "L2 to DRAM": "L2->DRAM queue",
             "DRAM to L2": "DRAM->L2 queue", "L2 to network": "L2->ICNT queue", "DRAM latency": "DRAM latency queue",
             "input queue": "DRAM controller input queue", "scheduler": "DRAM scheduler queue", "return queue": "DRAM return queue"}


class Wrong(Exception):
    pass


def ask(base, commands):
    args = list(base)
    for c in commands:
        args += ["-ex", r'printf "@@@\n"', "-ex", c]
    p = subprocess.run(args, capture_output=True, text=True, timeout=120, check=False)
    parts = p.stdout.split("@@@\n")[1:]
    if p.returncode or len(parts) != len(commands):
        raise Wrong(f"status {p.returncode}: {p.stderr[-400:]}")
    return parts


def partition(text):
    """queue -> requests in order, of `dm`; of the scheduler by bank; lines of the L2's MSHRs"""
    queues, mshr, sub, now, line = {}, {}, None, None, None
    for s in text.split("\n"):
        m = re.match(r"Sub-partition (\d+)", s)
        if m:
            sub = int(m[1])
        if s.startswith("DRAM controller"):
            sub = None
        m = re.match(r"  (\S.*?)  +\d+( of \d+)?( \(full\))?$", s)
        if m:
            now = PARTITION.get(m[1])
        m = re.match(r"    line (0x\w+)", s)
        if m:
            now, line = None, int(m[1], 16)
        m = re.match(r"    +#(\d+) ", s)
        if m and now:
            b = re.search(r"for bank +(\d+)", s)
            queues.setdefault((sub, now + (f", bank {b[1]}" if b else "")), []).append(int(m[1]))
        elif m and line is not None and s.startswith("      "):
            mshr[int(m[1])] = line
        m = re.match(r" +(\d+)  (?:open|closed).*  #(\d+) ", s)
        if m:
            queues.setdefault((None, f"DRAM, bank {m[1]}"), []).append(int(m[2]))
        m = re.search(r"next first: (.*)", s)
        if m:
            mine = [int(x) for x in re.findall(r"#(\d+)", m[1])]
            queues.setdefault((None, "data pipe"), []).extend(mine)
    return queues, mshr


def check_request(s, now, partitions, wrong):
    m = re.match(r"request (\d+): (.*?) since cycle (\d+)(.*)", s)
    if not m:
        return
    uid, place, since, rest = int(m[1]), m[2], int(m[3]), m[4]
    if since > now:
        wrong.append(f"{s}: it is cycle {now}")
    p = re.match(r"partition (\d+), (.*)", place)
    if not p:
        return
    queues, mshr = partitions[int(p[1])]
    m = re.match(r"L2 MSHR of line (0x\w+)", p[2])
    if m:
        if mshr.get(uid) != int(m[1], 16):
            wrong.append(f"{s}: dm has it at line {mshr.get(uid)}")
        return
    m = re.match(r" \(sub-partition (\d+)\)", rest)
    subs = {k[0] for k in queues if k[0] is not None}
    sub = int(m[1]) if m else None
    at = [k for k, v in queues.items() if uid in v]
    if p[2].startswith("L2,") or p[2] == "L2 fill":
        return
    if not any(k[1] == p[2] or (k[1] == "data pipe" and p[2].startswith("DRAM, bank")) for k in at):
        wrong.append(f"{s}: dm has it in {at}")
        return
    k = next((k for k in at if k[1] == p[2]), None)
    if k is None:
        return
    if k[0] is not None and sub is not None and sub != k[0]:
        wrong.append(f"{s}: it is sub-partition {k[0]}'s")
    if k[0] is not None and len(subs) > 1 and sub is None:
        wrong.append(f"{s}: of which sub-partition?")
    before = queues[k][:queues[k].index(uid)]
    m = re.search(r"behind requests? ([\d, and]+\d)( more)?", rest)
    said = [int(x) for x in re.findall(r"\d+", m[1])] if m else []
    more = said.pop() if m and m[2] else 0
    if p[2].startswith("DRAM scheduler"):  # of those that came together either is said to be the first
        if not set(said) <= set(queues[k]) or len(said) + more >= len(queues[k]):
            wrong.append(f"{s}: dm has {queues[k]}")
    elif len(before) != len(said) + more or said != before[:len(said)]:
        wrong.append(f"{s}: dm has {before} in front of it")
    until = re.search(r"until cycle (\d+)", rest)
    if until and int(until[1]) < since:
        wrong.append(f"{s}: until before since")


def check_warp(text, core, number, now, dump, states, wrong):
    lines = text.rstrip("\n").split("\n")
    m = re.match(rf"warp {number} of core {core} (.*)", lines[0])
    if not m:
        if not lines[0].startswith(("No warp", "there is no")):
            wrong.append(f"core {core} warp {number}: {lines[0]}")
        return
    what, state = m[1], states.get((core, number))
    issued = re.search(r"issued in cycle (\d+)", what)
    if issued and int(issued[1]) > now:
        wrong.append(f"{lines[0]}: it is cycle {now}")
    kind = {"scoreboard": r"waits for %", "barrier": "waits at barrier", "ready": "waits for nothing|waits for a pipeline register",
            "pipeline": "waits for a pipeline register", "fetch": "waits for its instructions", "done": "has finished"}
    if state in kind and not re.match(kind[state], what):
        wrong.append(f"{lines[0]}: info warps says {state}")
    m = re.match(r"waits for (%\S+?):", what)
    if m:
        board = re.search(rf"wid = +{number}:(.*)", dump)
        if not board or f"({m[1]}" not in board[1]:
            wrong.append(f"{lines[0]}: scoreboard has {board[1] if board else 'nothing'}")
    for s in lines[1:]:
        m = re.match(r"  it is in pipeline register (\w+),", s)
        if m:
            part = dump.split(f"--- {m[1]} ---\n")[1].split("---")[0]
            if f"w{number:02d}[" not in part:
                wrong.append(f"{lines[0]} {s}: dp has {part}")
        m = re.match(r"  it is in collector unit (\d+)", s)
        if m:
            part = re.search(rf"   CU- *{m[1]} .*", dump)
            if not part or "free" in part[0] or f"w{number:02d}" not in part[0] and f"wid={number:2d}" not in part[0]:
                wrong.append(f"{lines[0]} {s}: dp has {part and part[0]}")
        if re.match(r"  it is in the LDST unit, \d+ access", s) and not re.search(rf"LD/ST unit  = 0x\w+ w{number:02d}\[", dump):
            wrong.append(f"{lines[0]} {s}: dp hasn't")


def main():
    args = sys.argv[1:]
    option = []
    while "--option" in args:
        k = args.index("--option")
        option += ["-o", args[k + 1]]
        del args[k:k + 2]
    warpstep, config, session, *cycles = args
    base = [warpstep, "-m", "performance", "-q", "--batch", "-c", config, *option, "-x", session]
    wrong, seen, n = [], {}, 0
    for cycle in map(int, cycles):
        stop = [*base, "-ex", f"run-to-cycle {cycle}"]
        out = ask(stop, ["info warps", "print $cycle"])
        now = int(re.search(r"= (\d+)", out[1])[1])
        states = {}
        for s in out[0].split("\n")[1:]:
            m = re.match(r"\*? +(\d+) +(\d+) +\(\S+\) +\d+ +0x\w+ +\S+ +(\w+)", s)
            if m:
                states[int(m[1]), int(m[2])] = m[3]
        warps = sorted(states)[:: max(1, len(states) // 60)]
        cores = sorted({c for c, _ in warps})
        channels = int(re.search(r"value: (\d+)", ask(base, ["info config -gpgpu_n_mem"])[0])[1])
        commands = [f"dp {c}" for c in cores] + [f"dm {p}" for p in range(channels)] + [f"why warp {w} core {c}" for c, w in warps]
        out = ask(stop, commands)
        dumps = dict(zip(cores, out))
        partitions = {p: partition(t) for p, t in enumerate(out[len(cores):len(cores) + channels])}
        for (c, w), text in zip(warps, out[len(cores) + channels:]):
            check_warp(text, c, w, now, dumps[c], states, wrong)
            for s in text.split("\n"):
                check_request(s, now, partitions, wrong)
                m = re.match(r"request (\d+): (.*) since cycle (\d+)", s)
                if m:
                    n += 1
                    was = seen.get(int(m[1]))
                    if was and (int(m[3]) < was[1] or (was[0] == m[2]) != (was[1] == int(m[3])) and was[0] == m[2]):
                        wrong.append(f"{s}: it was in {was[0]} since {was[1]}")
                    seen[int(m[1])] = (m[2], int(m[3]))
    for w in wrong[:12]:
        print(w)
    if wrong:
        print(f"{len(wrong)} of {n} request lines and the warps")
    elif n == 0:
        print("no request was seen")
    return bool(wrong) or n == 0


if __name__ == "__main__":
    sys.exit(main())
