#!/usr/bin/env python3
"""Where values come from, on random small kernels with one NaN: loops, compare-and-swap sums, doubles in halves, the heap of kernels, initial values,
local and shared memory, shuffles, calls. find-nan names the one birth for every element that isn't finite; who-wrote and why name the same write; each value of
a chain is recomputed from those below it. origins.py WARPSTEP SEED [COUNT [WIDTH]]: prints what doesn't fit; status 1. WIDTH: threads of a
warp."""
import json
import random
import re
import struct
import subprocess
import sys
import tempfile

HEAD = """.version 7.0
.target sm_70
.address_size 64
.const .align 4 .f32 coef[4] = {0f3F000000, 0f3E800000, 0f3F400000, 0f3E000000};
.global .align 4 .f32 given[32] = {%s};
.shared .align 4 .f32 tile[64];
.extern .func (.param .b64 r) malloc (.param .b64 n);
.func (.param .f32 r) halve(.param .f32 x)
{
	.reg .f32 %%h<3>;
	ld.param.f32 %%h1, [x];
	mul.f32 %%h2, %%h1, 0f3F000000;
	st.param.f32 [r], %%h2;
	ret;
}
.func (.reg .f32 %%o) mean(.reg .f32 %%x, .reg .f32 %%y)
{
	.reg .f32 %%m;
	add.f32 %%m, %%x, %%y;
	mul.f32 %%o, %%m, 0f3F000000;
	ret;
}
.visible .entry k(.param .u64 pA, .param .u64 pD, .param .u64 pS, .param .u64 pX)
{
	.reg .f32 %%f<8>;
	.reg .f32 %%g<8>;
	.reg .f64 %%d<4>;
	.reg .b32 %%r<16>;
	.reg .b64 %%rd<16>;
	.reg .pred %%p<4>;
	.local .align 8 .b8 own[16];
	ld.param.u64 %%rd1, [pA];
	ld.param.u64 %%rd2, [pD];
	ld.param.u64 %%rd3, [pS];
	ld.param.u64 %%rd4, [pX];
	mov.u32 %%r1, %%tid.x;
	mul.wide.u32 %%rd5, %%r1, 4;
	add.s64 %%rd1, %%rd1, %%rd5;
	add.s64 %%rd4, %%rd4, %%rd5;
	mul.wide.u32 %%rd5, %%r1, 8;
	add.s64 %%rd2, %%rd2, %%rd5;
	shl.b32 %%r2, %%r1, 2;
	mov.u32 %%r3, tile;
	add.s32 %%r4, %%r3, %%r2;
	{ .param .b64 n; .param .b64 r;
	mov.u64 %%rd6, 16;
	st.param.b64 [n], %%rd6;
	call (r), malloc, (n);
	ld.param.b64 %%rd7, [r];
	}
"""


class Kernel:
    def __init__(self, rng):
        self.rng, self.lines, self.label = rng, [], 0
        self.threads = rng.choice([32, 64])
        self.thread = rng.randrange(self.threads)
        self.born = self.f() # nothing else is written to it: the NaN stays there

    def f(self):
        return "%%f%d" % self.rng.randrange(6)

    def add(self, *lines):
        self.lines += lines

    def statement(self):
        rng, a, b, c = self.rng, self.f(), self.f(), self.f()
        while self.born in (a, c):
            a, c = self.f(), self.f()
        if rng.random() < 0.4:
            b = self.born
        self.label += 1
        kind = rng.randrange(13)
        if kind == 0:
            self.add(f"add.f32 %g0, {b}, {c};", f"mul.f32 {a}, %g0, 0f3F000000;")
        elif kind == 1:
            self.add(f"fma.rn.f32 {a}, {b}, 0f3F000000, {c};", f"mul.f32 {a}, {a}, 0f3F000000;")
        elif kind == 2:
            self.add(f"mov.b32 %r5, {b};", f"mov.b32 {a}, %r5;")
        elif kind == 3:
            self.add(f"st.global.f32 [%rd1], {b};", f"ld.global.f32 {a}, [%rd1];")
        elif kind == 4:
            self.add(f"st.local.f32 [own+4], {b};", f"mul.f32 {c}, {b}, 0f3F000000;", f"ld.local.f32 {a}, [own+4];")
        elif kind == 5:
            other = rng.randrange(1, self.threads)
            self.add(f"st.shared.f32 [%r4], {b};", "bar.sync 0;", f"add.u32 %r6, %r1, {other};", f"and.b32 %r6, %r6, {self.threads - 1};", "shl.b32 %r6, %r6, 2;",
                     "add.s32 %r6, %r6, %r3;", f"ld.shared.f32 {a}, [%r6];", "bar.sync 0;")
        elif kind == 6:
            self.add(f"mov.b32 %r7, {b};", f"shfl.sync.bfly.b32 %r8, %r7, {rng.choice([1, 2, 8, 16])}, 31, -1;", f"mov.b32 {a}, %r8;")
        elif kind == 7:
            halves = ["st.global.u32 [%rd2], %r9;", "st.global.u32 [%rd2+4], %r10;"]
            rng.shuffle(halves)
            self.add(f"cvt.f64.f32 %d1, {b};", "mov.b64 {%r9, %r10}, %d1;", *halves, "ld.global.f64 %d2, [%rd2];", f"cvt.rn.f32.f64 {a}, %d2;")
        elif kind == 8:
            self.add("{ .param .f32 x; .param .f32 r;", f"st.param.f32 [x], {b};", "call (r), halve, (x);", f"ld.param.f32 {a}, [r];", "}")
        elif kind == 9:
            self.add(f"call ({a}), mean, ({b}, {c});")
        elif kind == 10:
            self.add(f"st.f32 [%rd7+{rng.choice([0, 4, 8])}], {b};", "ld.f32 %g1, [%rd7];")
        elif kind == 11:
            self.add(f"ld.const.f32 %g2, [coef+{4 * rng.randrange(4)}];", f"mul.f32 {a}, {b}, %g2;", f"ld.global.f32 %g3, [given+{4 * rng.randrange(32)}];",
                     f"fma.rn.f32 {a}, %g3, 0f3C000000, {a};")
        else:
            n = self.label
            self.add(f"ld.global.u32 %r11, [%rd3];", f"C{n}:", "mov.u32 %r12, %r11;", "mov.b32 %g4, %r12;", "mul.f32 %g4, %g4, 0f3F000000;", f"fma.rn.f32 %g5, {b}, 0f3D000000, %g4;",
                     "mov.b32 %r13, %g5;", "atom.global.cas.b32 %r11, [%rd3], %r12, %r13;", "setp.ne.s32 %p1, %r11, %r12;", f"@%p1 bra C{n};")

    def text(self):
        rng = self.rng
        for k in range(6):
            self.add(f"ld.global.f32 %g6, [%rd4];", f"fma.rn.f32 %f{k}, %g6, 0f3F000000, 0f{struct.pack('>f', rng.uniform(-1, 1)).hex().upper()};")
        self.add("mov.u32 %r14, 0;", "L:")
        before, after = rng.randrange(0, 6), rng.randrange(3, 9)
        for _ in range(before):
            self.statement()
        born = self.born
        rounds = rng.randrange(1, 6)
        self.add(f"setp.eq.u32 %p2, %r1, {self.thread};", f"setp.eq.and.u32 %p2, %r14, {rng.randrange(rounds)}, %p2;", f"@%p2 sqrt.rn.f32 {born}, 0fBF800000;")
        birth = len(self.lines)
        for _ in range(after):
            self.statement()
        self.add("add.u32 %r14, %r14, 1;", f"setp.lt.u32 %p3, %r14, {rounds};", "@%p3 bra L;", f"add.f32 %g7, {born}, %f5;", "st.global.f32 [%rd1], %g7;", "cvt.f64.f32 %d3, %g7;",
                 "st.global.f64 [%rd2], %d3;", "ret;", "}")
        head = HEAD % ", ".join("0f" + struct.pack(">f", rng.uniform(-1, 1)).hex().upper() for _ in range(32))
        return head + "\n".join("\t" + line for line in self.lines) + "\n", head.count("\n") + birth


def numbers(node):
    v = node.get("value")
    if isinstance(v, str):
        return float("nan") if "nan" in v else float("inf") if v == "inf" else -float("inf") if v == "-inf" else None
    return v


def single(v):
    return struct.unpack("f", struct.pack("f", v))[0] if v == v and abs(v) < 1e38 else v


def close(a, b):
    return (a != a and b != b) or a == b or (a == a and b == b and abs(a - b) <= 2e-6 * max(abs(a), abs(b), 1e-30))


def check_node(node, bad):
    """A float that an instruction has made, recomputed from the lines below it."""
    below = [c for c in node.get("from", []) if c.get("kind") in ("register", "constant", "memory")]
    op = node.get("instruction", "").split(" ", 2)
    op = next((w for w in op if not w.startswith("@")), "")
    v, of = numbers(node), []
    for c in below:
        text = c.get("name", "")
        of.append(struct.unpack(">f", bytes.fromhex(text[2:]))[0] if c["kind"] == "constant" and text[:2] == "0f" else numbers(c))
    if v is not None and None not in of and not node.get("above"):
        want = None
        if op == "add.f32" and len(of) == 2:
            want = of[0] + of[1]
        elif op == "mul.f32" and len(of) == 2:
            want = of[0] * of[1]
        elif op == "fma.rn.f32" and len(of) == 3:
            want = of[0] * of[1] + of[2]
        elif op.startswith(("ld.", "st.global.f", "st.local.f", "st.shared.f")) and of and ".f32" in op:
            loads = op.startswith("ld.")
            mem = [x for x, c in zip(of, below) if c["kind"] == "memory"] if loads else of[-1:]
            want = mem[0] if mem and not op.startswith("ld.param") else None
        if want is not None and not close(single(want), single(v)) and not (abs(want - v) < 1e-6):
            bad.append("%s: %s = %s, but its operands make %s" % (node["instruction"], node["name"], v, want))
    for c in node.get("from", []):
        check_node(c, bad)


def check(warpstep, folder, seed, width):
    rng = random.Random(seed)
    k = Kernel(rng)
    text, birth = k.text()
    name = "origins-%d.ptx" % seed
    with open(f"{folder}/{name}", "w", encoding="ascii") as f:
        f.write(text)
    picks = sorted({k.thread, *rng.sample(range(k.threads), 2)})
    places = [f"A[{i}]" for i in picks] + [f"D[{i}]" for i in picks] + ["S[0]"]
    asks = ["p A", "p D", "p S[0]"]
    for p in places:
        asks += [f"who-wrote {p} --json -", f"why {p} 12 --json -"] + ([f"find-nan {p}"] if p[0] != "S" else [])
    asks += ["find-nan"] + (["find-nan S"] if "atom" in text else [])
    lines = ["set pagination off", "set history on", f"buffer A f32[{k.threads}]", f"buffer D f64[{k.threads}]", "buffer S u32[1]", f"buffer X f32[{k.threads}] = random 3 -1 1",
             f"run k<<<1, {k.threads}>>>(A, D, S, X)"]
    args = [warpstep, "--batch", "-m", rng.choice(["functional", "performance"])]
    if width != 32:
        args += ["-o", f"-gpgpu_shader_core_pipeline {64 * width}:{width}"]
    for n, a in enumerate(asks):
        lines += [f"echo @{n}@\\n", a]
    for line in lines:
        args += ["-ex", line]
    p = subprocess.run(args + [name], capture_output=True, text=True, timeout=120, cwd=folder, check=False)
    out = dict(zip(asks, re.split(r"@\d+@\n", p.stdout)[1:]))
    bad = [] if p.returncode in (0, 3) and len(out) == len(asks) else ["status %d: %s" % (p.returncode, (p.stdout + p.stderr)[-600:])]
    for place in places if not bad else []:
        wrote, why = json.loads(out[f"who-wrote {place} --json -"]), json.loads(out[f"why {place} 12 --json -"])
        w, chain = wrote["write"], why["chain"][0]
        for key in ("by", "uid", "ptx", "cycle", "launch"):
            if w.get(key) != chain.get(key):
                bad.append(f"{place}: who-wrote and why differ in {key}: {w.get(key)} {chain.get(key)}")
        check_node(chain, bad)
        found = out.get(f"find-nan {place}", "")
        value = numbers(chain)
        if place[0] != "S" and value is not None and value != value and f"born at {name}:{birth} " not in found + " ":
            bad.append(f"{place}: not born in line {birth}: {found.strip()}")
        if "born" in found and f"thread uid {k.thread + 1}," not in found:
            bad.append(f"{place}: not born in thread uid {k.thread + 1}: {found.strip()}")
    for every in ("find-nan", "find-nan S"):
        for line in out.get(every, "").split("\n"):
            if "born" in line and (f"{name}:{birth} " not in line or f"thread uid {k.thread + 1}," not in line):
                bad.append(f"{every}: not in line {birth} by thread uid {k.thread + 1}: {line}")
            elif "came from" in line or "initial value" in line or "nobody" in line:
                bad.append(f"{every}: {line}")
    for b in bad:
        print(f"seed {seed}, {args[3]}: {b}")
    return not bad


def main():
    warpstep, seed = sys.argv[1], int(sys.argv[2])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    width = int(sys.argv[4]) if len(sys.argv) > 4 else 32
    with tempfile.TemporaryDirectory() as folder:
        return 0 if all([check(warpstep, folder, k, width) for k in range(seed, seed + count)]) else 1


if __name__ == "__main__":
    sys.exit(main())
