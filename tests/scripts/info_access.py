"""What `info access` says of each access of access.ptx, against the rules of the CUDA guide and of GPGPU-Sim, computed here from the addresses, and
against what the machine counts when the access is made."""
import random
import re
import subprocess
import sys

WARPSTEP, PTX = sys.argv[1:]
LANES = range(32)

# name: (warp parts, banks, one word broadcast, 32-byte segments for .cg and atomics, parts of an atomic)
MACHINES = {
    "fermi-gtx480": (1, 32, False, False, 2),
    "gt200-quadrofx5800": (2, 16, True, False, 2),
    "v42-gtx480": (1, 32, False, True, 1),
}


def shrink(base, size, chunks):
    """128 bytes to the half that is used, 64 bytes to the quarter."""
    if size == 128 and (not chunks & 0xC or not chunks & 3):
        size, base, chunks = 64, base + (0 if chunks & 3 else 64), chunks & 3 or chunks >> 2
    elif size == 64:
        chunks >>= base % 128 // 32
    if size == 64 and chunks & 3 in (1, 2):
        size, base = 32, base + (32 if chunks & 3 == 2 else 0)
    return size


def parts(lanes, n):
    width = 32 // n
    return [p for p in ([l for l in lanes if l // width == k] for k in range(n)) if p]


def segments(at, lanes, n_parts, segment):
    sizes = []
    for part in parts(lanes, n_parts):
        used = {}
        for l in part:
            base = at[l] // segment * segment
            used[base] = used.get(base, 0) | 1 << at[l] % 128 // 32
        sizes += [shrink(base, segment, chunks) for base, chunks in used.items()]
    return len(sizes), sum(sizes)


def atomics(at, lanes, n_parts, segment):
    """4 bytes: a lane shares a transaction with those that don't want its word."""
    sizes = []
    for part in parts(lanes, n_parts):
        made = []  # [base, words, chunks]
        for l in part:
            base = at[l] // segment * segment
            for t in made:
                if t[0] == base and at[l] not in t[1]:
                    break
            else:
                t = [base, set(), 0]
                made.append(t)
            t[1].add(at[l])
            t[2] |= 1 << at[l] % 128 // 32
        sizes += [shrink(t[0], segment, t[2]) for t in made]
    return len(sizes), sum(sizes)


def bank_cycles(at, lanes, n_parts, banks, one_word):
    cycles = []
    for part in parts(lanes, n_parts):
        words = [at[l] // 4 for l in part]
        if not one_word:
            cycles.append(max(len({w for w in words if w % banks == b}) for b in range(banks)))
            continue
        # one word is given to all: that of the lowest bank that is wanted twice; all others go one by one
        again = sorted(((w % banks, w) for w in set(words) if words.count(w) > 1))
        of_bank = [sum(w % banks == b for w in words) for b in range(banks)]
        if again:
            bank, word = again[0]
            of_bank[bank] -= words.count(word) - 1
        cycles.append(max(of_bank))
    return cycles


def size_of(line):
    """Bytes of a lane's access, by the opcode's suffixes."""
    op = line.split(" ")[1] if line.startswith("@") else line.split(" ")[0]
    return int(re.search(r"[usfb](8|16|32|64)$", op)[1]) // 8 * int((re.search(r"\.v([24])", op) or [0, 1])[1])


def bank_words(at, lanes, n_parts, banks, size):
    """For each part of the warp: how many different 4-byte words of each bank its lanes touch, counted byte by byte."""
    found = []
    for part in parts(lanes, n_parts):
        words = {byte // 4 for l in part for byte in range(at[l], at[l] + size)}
        found.append([sum(w % banks == b for w in words) for b in range(banks)])
    return found


def expected(line, machine, offsets):
    """(transactions, bytes) or (cycles, degree) of an instruction of access.ptx; None: not one of those."""
    n_parts, banks, one_word, sectors, atomic_parts = MACHINES[machine]
    lanes = [l for l in LANES if not line.startswith("@%odd") or l & 1]
    lanes = [l for l in lanes if not line.startswith("@!%odd") or not l & 1]
    at = [0x80000000 + o for o in offsets]  # (buffers begin at multiples of 256)
    if "[%s]" in line:
        cycles = bank_cycles(offsets, lanes, n_parts, banks, one_word)
        least = [-(-sum(w) // banks) for w in bank_words(offsets, lanes, n_parts, banks, size_of(line))]
        return sum(cycles), max(-(-c // n) for c, n in zip(cycles, least))
    if "[%here]" not in line:
        return None
    if "red." in line:
        return atomics(at, lanes, atomic_parts, 32 if sectors else 128)
    bytes_ = 1 if ".u8" in line else 4
    segment = 32 if bytes_ == 1 or (sectors and ".cg" in line) else 128
    return segments(at, lanes, n_parts, segment)


def check_words(said, line, machine, offsets):
    """What is said of an access to shared memory: each bank's words, the least number of cycles. "" or what is wrong."""
    n_parts, banks, _, _, _ = MACHINES[machine]
    lanes = [l for l in LANES if not (line.startswith("@!%odd") and l & 1)]
    words = bank_words(offsets, lanes, n_parts, banks, size_of(line))
    rows = re.findall(r"words of banks [0-9-]+  (.*)", said)
    shown = [[0 if c == "." else int(c, 36) for c in row.replace(" ", "")] for row in rows]
    if shown != words:
        return "words %s, not %s: " % (shown, words)
    least, cycles = sum(-(-sum(w) // banks) for w in words), int(re.search(r"conflict: (\d+) cycle", said)[1])
    would = re.search(r"where (\d+) would do", said)
    if (int(would[1]) if would else cycles) != least:
        return "%s would do, not %d: " % (would and would[1], least)
    return ""


def script(kernel, offsets, n, options):
    lines = ["load " + PTX, "buffer x u32[16384] = zero", "buffer at u32[32] = {%s}" % ", ".join(map(str, offsets)),
             "launch %s<<<1, 32>>>(at, x)" % kernel, "advance %d" % first_line(kernel)]
    for k in range(n):
        lines += ["echo \\n@@next\\n", "info access", "stepi", "echo \\n@@last\\n", "info access last"]
    return "\n".join(lines + ["echo \\n@@end\\n", "continue", "stats --lines" if options else ""])


def source(kernel):
    text = open(PTX).read().splitlines()
    begin = next(k for k, t in enumerate(text) if ".entry " + kernel in t)
    return text, begin


def first_line(kernel):
    text, begin = source(kernel)
    return next(k for k in range(begin, len(text)) if "%here]" in text[k] or "[%s]" in text[k]) + 1


def run(machine, mode, kernel, offsets):
    text, _ = source(kernel)
    first = first_line(kernel)
    asked = [t.strip() for t in text[first - 1:] if t.strip()]
    n = next(k for k, t in enumerate(asked) if not re.match(r"(@\S+ )?(ld|st|red|atom)\.?", t))
    perf = mode == "performance"
    args = [WARPSTEP, "-q", "--batch", "-c", machine, "-m", mode] + (["-o", "-enable_ptx_file_line_stats 1", "-o", "-ptx_line_stats_filename /dev/null"]
                                                                   if perf else []) + ["-x", "/dev/stdin"]
    out = subprocess.run(args, input=script(kernel, offsets, n, perf), capture_output=True, text=True, check=False)
    if out.returncode:
        return ["%s %s: status %d: %s" % (machine, mode, out.returncode, out.stderr[:300])]
    bad = []
    looks = re.split(r"@@(?:next|last|end)\n", out.stdout)
    counted = {int(m[1]): m[2].split() for m in re.finditer(r"access\.ptx (\d+) : (.*)", out.stdout)}
    for k in range(n):
        line, want = asked[k], expected(asked[k], machine, offsets)
        for which in (0, 1):
            said = looks[1 + 2 * k + which]
            where = "%s %s %s, offsets %s..., %s:\n%s" % (machine, mode, kernel, offsets[:4], line, said)
            got = re.search(r"(\d+) transactions?, (\d+) bytes", said) or re.search(r"(?:(\d+)-way|no) bank conflict: (\d+) cycle", said)
            if not got or line.rstrip(";") not in said.split(" at ")[0]:
                bad.append("nothing said: " + where)
                continue
            pair = (int(got[1] or 1), int(got[2]))
            pair = pair[::-1] if "bank conflict" in said else pair
            if want and pair != want:
                bad.append("%s, not %s: %s" % (pair, want, where))
            wrong = "[%s]" in line and check_words(said, line, machine, offsets)
            if wrong:
                bad.append(wrong + where)
            c = counted.get(first + k)
            if perf and "%here" in line or "[%s]" in line and perf:
                real = int(c[3]) if "[%s]" in line else int(c[5])
                if real != pair[0]:
                    bad.append("the machine counts %d: %s" % (real, where))
    return bad


def main():
    chance = random.Random(20)
    patterns = {
        "stride 1": list(LANES), "stride 2": [2 * l for l in LANES], "stride 32": [32 * l for l in LANES], "broadcast": [5] * 32,
        "reversed": [31 - l for l in LANES], "two words of a bank": [l % 2 * 32 for l in LANES], "random": [chance.randrange(1024) for _ in LANES],
        "near random": [chance.randrange(40) for _ in LANES],
    }
    bad = []
    for name, words in patterns.items():
        for machine in MACHINES:
            wide = [16 * (w % 64) for w in words]
            bad += run(machine, "performance", "narrow", [4 * w % 4096 for w in words])
            bad += run(machine, "performance", "wide", wide)
            bad += run(machine, "performance", "doubles", [8 * w % 4096 for w in words])
        bad += run("v42-gtx480", "functional", "narrow", [4 * w % 4096 for w in words])
        bad += run("gt200-quadrofx5800", "functional", "wide", wide)
        bad += run("fermi-gtx480", "functional", "doubles", [8 * w % 4096 for w in words])
    print("\n".join(bad[:6]))
    return 1 if bad else 0


sys.exit(main())
