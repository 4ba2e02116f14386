#!/usr/bin/env python3
"""Chains of `why EXPR`, compared with what is known beforehand: kernels of straight-line PTX drawn at random, which are executed here, too, each value with
the execution that made it. chains.py WARPSTEP SEED [COUNT] [MODE...]: prints the first difference; status 1."""
import os
import random
import re
import subprocess
import sys
import tempfile

THREADS = 64
BIT32, BIT64 = 2**32, 2**64


class Made:
    """A value and the execution that made it. what: register, memory, leaf."""

    def __init__(self, what, name, value, line=0, thread=None, sources=(), odd="", key=None):
        self.what, self.name, self.value, self.line, self.thread = what, name, value, line, thread
        self.sources, self.odd, self.key = list(sources), odd, key

    def shown(self):
        return self.key or (self.thread, self.line, self.name if self.what == "register" else "", self.run)

    def of_lane(self, lane):
        m = Made(self.what, f"{self.name} of lane {lane}", self.value, self.line, self.thread, self.sources, self.odd, self.shown())
        m.run = self.run
        return m

    run = 0


def signed(v, bits=32):
    v %= 1 << bits
    return v - (1 << bits) if v >> (bits - 1) else v


def given(name, warp):
    """what the lanes of a warp have given, those with one value together, in the order of their first lanes"""
    values = list(dict.fromkeys(m.value for m in warp))
    lanes = [sum(1 << lane for lane, m in enumerate(warp) if m.value == v) for v in values]
    return Made("leaf", f"{name} in lanes " + ", ".join(f"0x{mask:08x} = {v}" for mask, v in zip(lanes, values)), 0)


class Kernel:
    def __init__(self, rng, atomics):
        self.rng, self.atomics = rng, atomics
        self.lines = ['.version 7.8', '.target sm_70', '.address_size 64',
                      '.func (.reg .u32 %o) twice(.reg .u32 %x, .reg .u32 %y)', '{', '.reg .u32 %t;', 'add.u32 %t, %x, %x;', 'add.u32 %x, %t, %y;',
                      'mov.u32 %o, %x;', 'ret;', '}',
                      '.func (.param .b32 o) in_memory(.param .b32 x, .param .b32 y)', '{', '.reg .u32 %t<4>;', 'ld.param.u32 %t1, [x];',
                      'ld.param.u32 %t2, [y];', 'xor.b32 %t3, %t1, %t2;', 'st.param.b32 [o], %t3;', 'ret;', '}',
                      '.visible .entry k(.param .u64 a, .param .u64 b, .param .u64 d)', '{',
                      '.reg .u32 %r<64>;', '.reg .u64 %rd<64>;', '.reg .pred %p<16>;',
                      '.shared .align 16 .u32 s[64];', '.local .align 16 .u32 l[8];']
        self.program = []  # (line number, function of a thread's state)
        self.n = {"r": 0, "rd": 0, "p": 0}
        self.live = {"r": [], "rd": [], "p": []}
        self.build()

    # ---- text and meaning, together ----
    def emit(self, text, act=None):
        self.lines.append(text + ";")
        if act:
            self.program.append((len(self.lines), act))
        elif text.startswith("bar.sync"):
            self.program.append((len(self.lines), None))

    def new(self, kind):
        reuse = [r for r in self.live[kind] if r not in self.fixed]
        if len(reuse) > 6 and self.rng.random() < 0.4:  # written a second time: the older writer is not to be named
            name = self.rng.choice(reuse)
        else:
            self.n[kind] += 1
            name = f"%{kind}{self.n[kind]}"
        return name

    def alive(self, kind, name):
        if name in self.live[kind]:
            self.live[kind].remove(name)
        self.live[kind].append(name)

    def pick(self, kind):
        """mostly what was written lately: chains are to be long"""
        live = self.live[kind]
        return self.rng.choice(live[-4:] if self.rng.random() < 0.7 else live)

    def alu(self, text, kind, to, sources, f, odd=lambda *v: "", guard=None):
        """sources: registers, special registers, numbers as they are written"""
        def act(t, line):
            if guard and bool(t.reg[guard[0]].value) != guard[1]:
                return
            made = [t.operand(s) for s in sources]
            values = [m.value for m in made]
            t.write(kind, to, f(*values), line, made, odd(*values))
        self.emit((f"@{'' if guard[1] else '!'}{guard[0]} " if guard else "") + text, act)
        self.alive(kind, to)

    def number(self):
        return str(self.rng.choice([1, 2, 3, 5, 7, 12, 100, 4095, 2**31 - 1]))

    def r_or_number(self):
        return self.number() if self.rng.random() < 0.25 else self.pick("r")

    def op_arith(self):
        op, f = self.rng.choice([("add.u32", lambda a, b: a + b), ("sub.u32", lambda a, b: a - b), ("xor.b32", lambda a, b: a ^ b),
                                 ("and.b32", lambda a, b: a & b), ("or.b32", lambda a, b: a | b), ("mul.lo.u32", lambda a, b: a * b),
                                 ("max.u32", max), ("min.u32", min), ("shl.b32", lambda a, b: a << b if b < 32 else 0)])
        a, b = self.pick("r"), self.r_or_number()
        guard = (self.pick("p"), self.rng.random() < 0.5) if self.live["p"] and self.rng.random() < 0.3 else None
        to = self.new("r") if not guard else self.rng.choice([r for r in self.live["r"] if r not in self.fixed] or [None]) or self.new("r")
        if guard and to not in self.live["r"]:
            guard = None
        self.alu(f"{op} {to}, {a}, {b}", "r", to, [a, b], f, guard=guard)

    def op_signed(self):
        op, f = self.rng.choice([("add.s32", lambda a, b: a + b), ("sub.s32", lambda a, b: a - b), ("mul.lo.s32", lambda a, b: a * b)])
        a, b, to = self.pick("r"), self.pick("r"), self.new("r")
        odd = lambda x, y: "overflow" if not -2**31 <= f(signed(x), signed(y)) < 2**31 else ""
        self.alu(f"{op} {to}, {a}, {b}", "r", to, [a, b], lambda x, y: f(signed(x), signed(y)), odd)

    def op_mad(self):
        a, b, c, to = self.pick("r"), self.r_or_number(), self.pick("r"), self.new("r")
        self.alu(f"mad.lo.u32 {to}, {a}, {b}, {c}", "r", to, [a, b, c], lambda x, y, z: x * y + z)

    def op_setp(self):
        a, b, to = self.pick("r"), self.r_or_number(), self.new("p")
        self.alu(f"setp.lt.u32 {to}, {a}, {b}", "p", to, [a, b], lambda x, y: int(x < y))

    def op_selp(self):
        if not self.live["p"]:
            return
        a, b, p, to = self.pick("r"), self.pick("r"), self.pick("p"), self.new("r")
        self.alu(f"selp.u32 {to}, {a}, {b}, {p}", "r", to, [a, b, p], lambda x, y, q: x if q else y)

    def op_pred(self):
        if not self.live["p"]:
            return
        a, b, to = self.pick("p"), self.pick("p"), self.new("p")
        self.alu(f"xor.pred {to}, {a}, {b}", "p", to, [a, b], lambda x, y: x ^ y)

    def op_wide(self):
        a, b, to = self.pick("r"), self.r_or_number(), self.new("rd")
        self.alu(f"mul.wide.u32 {to}, {a}, {b}", "rd", to, [a, b], lambda x, y: x * y)

    def op_narrow(self):
        if not self.live["rd"]:
            return
        a, to = self.pick("rd"), self.new("r")
        self.alu(f"cvt.u32.u64 {to}, {a}", "r", to, [a], lambda x: x)

    def op_add64(self):
        if not self.live["rd"]:
            return
        a, b, to = self.pick("rd"), self.pick("rd"), self.new("rd")
        self.alu(f"add.u64 {to}, {a}, {b}", "rd", to, [a, b], lambda x, y: x + y)

    def op_pack(self):
        a, b, to = self.pick("r"), self.pick("r"), self.new("rd")
        self.alu(f"mov.b64 {to}, {{{a}, {b}}}", "rd", to, [a, b], lambda x, y: x + (y << 32))

    def op_unpack(self):
        if not self.live["rd"]:
            return
        a, x = self.pick("rd"), self.new("r")
        y = self.new("r")
        if x == y:
            return

        def act(t, line):
            m = t.reg[a]
            t.write("r", x, m.value, line, [m])
            t.write("r", y, m.value >> 32, line, [m])
        self.emit(f"mov.b64 {{{x}, {y}}}, {a}", act)
        self.alive("r", x)
        self.alive("r", y)

    def op_shuffle(self):
        how = self.rng.choice(["idx", "bfly", "up", "down"])
        a, to, n = self.pick("r"), self.new("r"), self.rng.randrange(32) if how in ("idx", "bfly") else self.rng.randrange(1, 12)
        clamp = 0 if how == "up" else 31
        text = f"shfl.sync.{how}.b32 {to}, {a}, {n}, {clamp}, -1"

        def act(threads, line):
            before = [t.reg[a] for t in threads]
            for k, t in enumerate(threads):
                lane = k % 32
                j = {"idx": n, "bfly": lane ^ n, "up": lane - n, "down": lane + n}[how]
                j = j if 0 <= j < 32 else lane
                m = before[k // 32 * 32 + j]
                t.write("r", to, m.value, line, [m.of_lane(j) if j != lane else m, t.operand(str(n)), t.operand(str(clamp)), t.operand("-1")])
        act.all = True
        self.emit(text, act)
        self.alive("r", to)

    def op_call(self):
        """of a function whose parameters are registers, one of which it writes"""
        a, b, to = self.pick("r"), self.pick("r"), self.new("r")
        x, y = self.pick("r"), self.pick("r")
        if len({a, b, to}) < 3:
            return
        self.lines.append(f"call ({to}), twice, ({a}, {b});")
        line = len(self.lines)

        def act(t, _):
            run = t.n
            first, second = t.reg[a], t.reg[b]
            px, py = t.made("%x", first.value, line, [first], run, 1), t.made("%y", second.value, line, [second], run, 1)
            t.n += 4
            tt = t.made("%t", 2 * px.value, 7, [px, px], run + 1)
            nx = t.made("%x", tt.value + py.value, 8, [tt, py], run + 2)
            o = t.made("%o", nx.value, 9, [nx], run + 3)
            t.reg[to] = t.made(to, o.value, line, [o], run)
        self.program.append((line, act))
        self.alive("r", to)

    def op_call_in_memory(self):
        a, b, to = self.pick("r"), self.pick("r"), self.new("r")
        self.lines += ["{", ".param .b32 p0;", ".param .b32 p1;", ".param .b32 q;", f"st.param.b32 [p0], {a};", f"st.param.b32 [p1], {b};",
                       "call (q), in_memory, (p0, p1);", f"ld.param.u32 {to}, [q];", "}"]
        line = len(self.lines) - 2

        def act(t, _):
            run = t.n
            v = [t.reg[a], t.reg[b]]
            stored = [t.made("local", m.value, line - 2 + k, [m], run + k, 2) for k, m in enumerate(v)]
            passed = [t.made("local", m.value, line, [m], run + 2, 3 + k) for k, m in enumerate(stored)]
            t1, t2 = (t.made(f"%t{k + 1}", m.value, 15 + k, [m], run + 3 + k) for k, m in enumerate(passed))
            t3 = t.made("%t3", t1.value ^ t2.value, 17, [t1, t2], run + 5)
            o = t.made("local", t3.value, 18, [t3], run + 6, 2)
            q = t.made("local", o.value, line, [o], run + 2, 5)
            for m in stored + [o]:
                m.what = "memory"
            t.n += 8
            t.reg[to] = t.made(to, q.value, line + 1, [q], run + 8)
        self.program.append((line, act))
        self.alive("r", to)

    def op_vote(self):
        how = self.rng.choice(["any", "all", "ballot"])
        kind = "r" if how == "ballot" else "p"
        a, to = self.pick("p"), self.new(kind)
        text = f"vote.sync.ballot.b32 {to}, {a}, -1" if how == "ballot" else f"vote.sync.{how}.pred {to}, {a}, -1"

        def act(threads, line):
            before = [t.reg[a] for t in threads]
            for k, t in enumerate(threads):
                warp = before[k // 32 * 32:k // 32 * 32 + 32]
                v = {"any": int(any(m.value for m in warp)), "all": int(all(m.value for m in warp)),
                     "ballot": sum(m.value << lane for lane, m in enumerate(warp))}[how]
                others = [lane for lane, m in enumerate(warp) if m.value != before[k].value][:1]
                t.write(kind, to, v, line, [given(a, warp), before[k], *[warp[lane].of_lane(lane) for lane in others], t.operand("-1")])
        act.all = True
        self.emit(text, act)
        self.alive(kind, to)

    # ---- memory: each thread has a place of its own, and reads another's after a barrier ----
    def op_shared(self):
        a, to, m = self.pick("r"), self.new("r"), self.rng.randrange(1, 64)
        self.emit(f"st.shared.u32 [{self.own_s}], {a}", self.store("shared", lambda t: 4 * t.id, [a], 4))
        self.emit("bar.sync 0")
        i, at = self.new("r"), None
        self.alu(f"xor.b32 {i}, {self.tid}, {m}", "r", i, [self.tid, str(m)], lambda x, y: x ^ y)
        o = self.new("r")
        self.alu(f"shl.b32 {o}, {i}, 2", "r", o, [i, "2"], lambda x, y: x << y)
        at = self.new("r")
        self.alu(f"add.u32 {at}, {o}, %r4", "r", at, [o, "%r4"], lambda x, y: x + y)
        to = self.new("r")
        self.emit(f"ld.shared.u32 {to}, [{at}]", self.load("shared", lambda t: t.reg[at].value, "r", [to], 4, at))
        self.alive("r", to)
        self.emit("bar.sync 0")

    def op_local(self):
        k = self.rng.randrange(8)
        a, to = self.pick("r"), self.new("r")
        self.emit(f"st.local.u32 [l+{4 * k}], {a}", self.store("local", lambda t: 4 * k, [a], 4))
        self.emit(f"ld.local.u32 {to}, [l+{4 * k}]", self.load("local", lambda t: 4 * k, "r", [to], 4, None))
        self.alive("r", to)

    def op_vector(self):
        n = self.rng.choice([2, 4])
        given = [self.pick("r") for _ in range(n)]
        self.emit(f"st.global.v{n}.u32 [{self.own_b}], {{{', '.join(given)}}}", self.store("B", lambda t: 16 * t.id, given, 4))
        self.emit("bar.sync 0")
        m, n = self.rng.randrange(1, 64), self.rng.choice([2, 4])
        i = self.new("r")
        self.alu(f"xor.b32 {i}, {self.tid}, {m}", "r", i, [self.tid, str(m)], lambda x, y: x ^ y)
        o = self.new("rd")
        self.alu(f"mul.wide.u32 {o}, {i}, 16", "rd", o, [i, "16"], lambda x, y: x * y)
        at = self.new("rd")
        self.alu(f"add.u64 {at}, {self.b}, {o}", "rd", at, [self.b, o], lambda x, y: x + y)
        to = []
        while len(to) < n:
            r = self.new("r")
            if r not in to:
                to.append(r)
        self.emit(f"ld.global.v{n}.u32 {{{', '.join(to)}}}, [{at}]",
                  self.load("B", lambda t: t.reg[at].value - t.reg[self.b].value, "r", to, 4, at))
        for r in to:
            self.alive("r", r)
        self.emit("bar.sync 0")

    def op_input(self):
        m, to = self.rng.randrange(64), self.new("r")
        self.emit(f"ld.global.u32 {to}, [{self.a}+{4 * m}]", self.load("A", lambda t: 4 * m, "r", [to], 4, self.a))
        self.alive("r", to)

    def op_atomic(self):
        if not self.atomics:
            return
        k, a, p = self.rng.randrange(4), self.pick("r"), self.new("p")
        few = str(self.rng.choice([2, 3, 33, 35]))
        lanes = self.rng.randrange(30)
        i = self.new("r")
        self.alu(f"sub.u32 {i}, {self.tid}, {lanes}", "r", i, [self.tid, str(lanes)], lambda x, y: x - y)
        self.alu(f"setp.lt.u32 {p}, {i}, {few if int(few) < 30 else 3}", "p", p, [i, few if int(few) < 30 else "3"], lambda x, y: int(x < y))
        to = self.new("r")
        if to not in self.live["r"]:
            self.alu(f"mov.u32 {to}, 9", "r", to, ["9"], lambda x: x)

        def act(t, line):
            if not t.reg[p].value:
                return
            place = ("D", 4 * k)
            was = t.m.read(place, t)
            given = t.reg[a]
            new = Made("memory", f"D[{k}]", (was.value + given.value) % BIT32, line, t, [given, was])
            new.run = t.run()
            t.m.mem[place] = new
            t.write("r", to, was.value, line, [was, *t.address(self.d), given], atomic=True)
        self.emit("bar.sync 0")
        self.emit(f"@{p} atom.global.add.u32 {to}, [{self.d}+{4 * k}], {a}", act)
        self.emit("bar.sync 0")

    def store(self, space, at, given, size):
        def act(t, line):
            for k, r in enumerate(given):
                offset = at(t) + k * size
                place = t.place(space, offset)
                new = Made("memory", t.m.name(place), t.reg[r].value, line, t, [t.reg[r]])
                new.run = t.run()
                new.key = (t, line, "store", new.run)
                t.m.mem[place] = new
        return act

    def load(self, space, at, kind, to, size, address):
        def act(t, line):
            made = [t.m.read(t.place(space, at(t) + k * size), t) for k in range(len(to))]
            through = t.address(address) if address else []
            run = t.run()
            for k, r in enumerate(to):
                t.write(kind, r, made[k].value, line, [made[k], *through], run=run)
        return act

    # ---- all of it ----
    def build(self):
        self.fixed = set()
        self.a, self.b, self.d, self.tid = "%rd1", "%rd2", "%rd3", "%r1"
        for k, (r, p) in enumerate([(self.a, "a"), (self.b, "b"), (self.d, "d")]):
            self.emit(f"ld.param.u64 {r}, [{p}]", self.parameter(r, p))
        self.alu(f"mov.u32 {self.tid}, %tid.x", "r", self.tid, ["%tid.x"], lambda x: x)
        self.alu("mul.wide.u32 %rd4, %r1, 16", "rd", "%rd4", ["%r1", "16"], lambda x, y: x * y)
        self.own_b = "%rd5"
        self.alu(f"add.u64 %rd5, {self.b}, %rd4", "rd", "%rd5", [self.b, "%rd4"], lambda x, y: x + y)
        self.alu("shl.b32 %r2, %r1, 2", "r", "%r2", ["%r1", "2"], lambda x, y: x << y)
        self.own_s = "%r3"
        self.alu("mov.u32 %r4, s", "r", "%r4", ["s"], lambda x: x)
        self.alu("add.u32 %r3, %r2, %r4", "r", "%r3", ["%r2", "%r4"], lambda x, y: x + y)
        self.n = {"r": 4, "rd": 5, "p": 0}
        self.live["rd"] = ["%rd4"]
        self.live["r"] = ["%r1", "%r2"]
        self.fixed = {"%r1", "%r2", "%r3", "%r4", "%rd1", "%rd2", "%rd3", "%rd4", "%rd5"}
        ops = [self.op_arith] * 5 + [self.op_signed, self.op_mad, self.op_setp, self.op_selp, self.op_pred, self.op_wide, self.op_narrow, self.op_add64,
               self.op_pack, self.op_unpack, self.op_shuffle, self.op_shuffle, self.op_shared, self.op_local, self.op_vector, self.op_input, self.op_atomic, self.op_call, self.op_call_in_memory, self.op_vote]
        self.op_setp()
        for _ in range(self.rng.randrange(8, 30)):
            self.rng.choice(ops)()
        self.asked = [r for r in self.live["r"] + self.live["rd"] + self.live["p"]]
        self.emit("bar.sync 0")
        self.lines += ["END: ret;", "}"]

    def parameter(self, r, p):
        def act(t, line):
            t.write("rd", r, t.m.buffers[p.upper()], line, [Made("leaf", f"parameter {p}", None)])
        return act


class Thread:
    def __init__(self, m, number, launch):
        self.m, self.id, self.launch, self.reg, self.n = m, number, launch, {}, 0

    def uid(self):
        return self.launch * THREADS + self.id + 1

    def run(self):
        return self.n

    def made(self, name, value, line, sources, run, part=0):
        m = Made("register", name, value % BIT32, line, self, sources)
        m.key = (self, line, name, run, part)
        return m

    def place(self, space, offset):
        return (space, self.launch, self.id, offset) if space == "local" else (space, self.launch, offset) if space == "shared" else (space, offset)

    def address(self, r):
        return [self.reg[r]]

    def operand(self, s):
        if s in self.reg:
            return self.reg[s]
        if s == "%tid.x":
            return Made("leaf", f"%tid.x = {self.id} (special register)", self.id)
        if s == "s":
            return Made("leaf", "s (address)", 0)
        return Made("leaf", f"{s} (constant)", int(s) % BIT32)

    def write(self, kind, to, value, line, sources, odd="", run=None, atomic=False):
        value %= {"r": BIT32, "rd": BIT64, "p": 2}[kind]
        m = Made("register", to, value, line, self, sources, odd)
        m.run = self.n if run is None else run
        self.reg[to] = m


class Machine:
    def __init__(self):
        self.mem, self.buffers = {}, {}

    def name(self, place):
        if place[0] in ("shared", "local"):
            return f"{place[0]}[0x{place[-1]:x}]"
        return f"{place[0]}[{place[1] // 4}]"

    def read(self, place, t):
        return self.mem.get(place) or Made("leaf", f"{self.name(place)}: nobody has written it", 0)

    def launch(self, kernel, number):
        threads = [Thread(self, k, number) for k in range(THREADS)]
        part = []
        for line, act in kernel.program:
            if act is None or getattr(act, "all", False):
                self.do(part, threads)
                part = []
                if act:
                    for t in threads:
                        t.n += 1
                    act(threads, line)
            else:
                part.append((line, act))
        self.do(part, threads)
        return threads

    def do(self, part, threads):
        """As functional mode does: a warp after the other up to the barrier, an instruction for all of its lanes."""
        for warp in range(0, THREADS, 32):
            for line, act in part:
                for t in threads[warp:warp + 32]:
                    t.n += 1
                    act(t, line)


def expected(made, depth, out, shown):
    indent = 2 * depth
    if made.what == "leaf":
        out.append((indent, made.name))
        return
    again = made.shown() in shown
    shown.add(made.shown())
    who = f" by {made.thread.uid()}" if made.what == "memory" else ""
    out.append((indent, f"{made.name} = {made.value}{who} at {made.line}" + (" (see above)" if again else f" <- {made.odd}" if made.odd else "")))
    if not again:
        for s in made.sources:
            expected(s, depth + 1, out, shown)


def parse(line):
    indent = len(line) - len(line.lstrip())
    s = line.strip()
    s = re.sub(r"^local\[0x\w+\] = (\d+ (?:at .* call |by .*\[o\]|by .*\[p[01]\]))", r"local = \1", s)
    m = re.match(r"(\S+(?: of lane \d+)?)( = -?\d+)?( by thread uid (\d+))? at \S+?:(\d+) .*\(cycle \d+\)(?:  <- (.*?))?(  \(see above\))?$", s)
    if m:
        who = f" by {m[4]}" if m[4] else ""
        return indent, f"{m[1]}{m[2] or ''}{who} at {m[5]}" + (" (see above)" if m[7] else f" <- {m[6]}" if m[6] else "")
    m = re.match(r"parameter (\w+) \(of the launch\)", s)
    if m:
        return indent, f"parameter {m[1]}"
    m = re.match(r"(\w+\[\d+\] = \d+) from the host", s)
    if m:
        return indent, m[1] + " from the host"
    m = re.match(r"(\S+)(?: = \d+)?: nobody has written it", s)
    if m:
        return indent, f"{m[1]}: nobody has written it"
    return indent, s



def ask(warpstep, mode, folder, kernel, seed):
    rng = random.Random(seed * 7 + 1)
    m = Machine()
    m.buffers = {"A": 0x80000000, "B": 0x80000200, "D": 0x80000700}
    for k in range(64):
        m.mem["A", 4 * k] = Made("leaf", f"A[{k}] = {3 * k + 1} from the host", 3 * k + 1)
    for k in range(256):
        m.mem["B", 4 * k] = Made("leaf", f"B[{k}] = 0 from the host", 0)
    for k in range(4):
        m.mem["D", 4 * k] = Made("leaf", f"D[{k}] = 0 from the host", 0)
    path = os.path.join(folder, f"k{seed}.ptx")
    with open(path, "w", encoding="ascii") as f:
        f.write("\n".join(kernel.lines) + "\n")
    launches = 1 + rng.randrange(2)
    for n in range(launches):
        threads = m.launch(kernel, n)
    questions = []
    for _ in range(4):
        t = rng.choice(threads)
        r = rng.choice(kernel.asked)
        if r in t.reg:
            questions.append((f"focus thread ({t.id},0,0)", f"why {r} 64", t.reg[r]))
    for _ in range(2):
        k = rng.randrange(256)
        questions.append((None, f"why B[{k}] 64", m.mem["B", 4 * k]))
    k = rng.randrange(4)
    questions.append((None, f"why D[{k}] 64", m.mem["D", 4 * k]))
    end = len(kernel.lines) - 1
    args = [warpstep, "-m", mode, "-q", "--batch", "-ex", "set history on", "-ex", f"load {path}", "-ex", "buffer A u32[64] = iota 1 3",
            "-ex", "buffer B u32[256] = zero", "-ex", "buffer D u32[4] = zero"]
    for n in range(launches - 1):
        args += ["-ex", "run k<<<1, 64>>>(A, B, D)"]
    args += ["-ex", f"b {path}:{end}", "-ex", "run k<<<1, 64>>>(A, B, D)"]
    for focus, why, _ in questions:
        args += (["-ex", focus] if focus else []) + ["-ex", r'printf "@@@\n"', "-ex", why, "-ex", r'printf "###\n"']
    p = subprocess.run(args, capture_output=True, text=True, timeout=60, check=False)
    answers = [a.split("###\n")[0].strip("\n").split("\n") for a in p.stdout.split("@@@\n")[1:]]
    if p.returncode or len(answers) != len(questions):
        print(f"seed {seed}, {mode}: status {p.returncode}, {len(answers)} answers: {p.stderr}\n{' '.join(args)}")
        return False
    for (focus, why, made), answer in zip(questions, answers):
        want = []
        expected(made, 0, want, set())
        got = [parse(s) for s in answer]
        cut = len(want) > 490
        if cut:
            continue
        if want != got:
            print(f"seed {seed}, {mode}: {focus}; {why}: {path}")
            for k in range(max(len(want), len(got))):
                a, b = want[k] if k < len(want) else None, got[k] if k < len(got) else None
                print("  " if a == b else "! ", a, "" if a == b else f"   but is   {b}")
                if a != b and k:
                    break
            return False
    return True


def main():
    warpstep, seed = sys.argv[1], int(sys.argv[2])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    modes = sys.argv[4:] or ["functional", "performance"]
    with tempfile.TemporaryDirectory(prefix="chains-") as folder:
        folder = os.environ.get("CHAINS_KEEP", folder)
        for k in range(seed, seed + count):
            for mode in modes:
                kernel = Kernel(random.Random(k), mode == "functional")
                if not ask(warpstep, mode, folder, kernel, k):
                    return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
