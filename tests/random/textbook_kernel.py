"""Random small kernels, launches and options for the textbook core, by seed.

Branches, addresses and loop counts come from thread indices, immediates, words of memory and atomics on them, so that the model (textbook_model.py)
can compute them; everything else is data that no branch reads.
"""
import random
import sys

from textbook_model import Options

# data instructions: result and operands by pool: f f32, r b32, l b64, d f64, q predicate, h f16, i immediate, n float immediate; after | the least target
FP32 = """add.f32 f f f; sub.f32 f f n; mul.f32 f f f; fma.rn.f32 f f f f; mad.rn.f32 f f f f; min.f32 f f f; max.f32 f f f; abs.f32 f f; neg.f32 f f; mov.f32 f f; mov.f32 f n;
set.gt.f32.f32 f f f; set.lt.u32.f32 r f f; slct.s32.f32 r r r f; setp.lt.f32 q f f; setp.ge.f32 q|q f f; setp.gt.and.f32 q f f q; selp.f32 f f f q; slct.f32.s32 f f f r; testp.finite.f32 q f; copysign.f32 f f f; cvt.rn.f32.s32 f r;
cvt.rzi.s32.f32 r f; cvt.rn.f16.f32 h f; cvt.f32.f16 f h; add.f16 h h h |53; fma.rn.f16 h h h h |53; setp.lt.f16 q h h |53; cvt.rn.f32.u64 f l; add.f16x2 r r r |53; fma.rn.bf16 h h h h |80;
neg.bf16 h h |80; max.bf16x2 r r r |80; cvt.rn.bf16.f32 h f |80; cvt.rni.f32.f32 f f; cvt.rni.u32.f16 r h; cvt.rzi.u64.f32 l f; add.ftz.f32 f f f; fma.rz.sat.f32 f f f f; min.f16 h h h |80; neg.f16 h h |53; abs.f16x2 r r |53"""
INT32 = """add.s32 r r r; sub.s32 r r i; mul.lo.s32 r r r; mul.hi.u32 r r r; mul.wide.s32 l r r; mad.lo.s32 r r r r; mad.wide.u32 l r r l; mul24.lo.u32 r r r; mad24.lo.s32 r r r r; and.b32 r r r;
or.b32 r r i; xor.b32 r r r; not.b32 r r; cnot.b32 r r; shl.b32 r r i; shr.u32 r r r; bfe.u32 r r i i; bfi.b32 r r r i i; prmt.b32 r r r i; popc.b32 r r; clz.b32 r r; brev.b32 r r; bfind.u32 r r;
sad.s32 r r r r; min.s32 r r r; max.u32 r r r; abs.s32 r r; neg.s32 r r; selp.b32 r r r q; slct.s32.s32 r r r r; setp.lt.s32 q r r; setp.ne.u32 q|q r i; setp.eq.or.s32 q r r q; set.lt.u32.s32 r r r;
mov.b32 r r; mov.u32 r i; mov.b32 r f; mov.b32 f r; and.pred q q q; not.pred q q; cvt.s64.s32 l r; cvt.u32.u64 r l; cvt.u8.u32 r r; add.s64 l l l; mul.lo.s64 l l l; shl.b64 l l i; and.b64 l l l;
popc.b64 r l; setp.gt.u64 q l l; mov.b64 l {r,r}; mov.b64 {r,r} l; add.cc.u32 r r r; addc.u32 r r r; addc.cc.u32 r r r; sub.cc.u32 r r r; subc.u32 r r r; mad.lo.cc.u32 r r r r |20;
madc.hi.u32 r r r r |20; shf.l.wrap.b32 r r r i |32; lop3.b32 r r r r 0x96 |50; dp4a.s32.s32 r r r r |61; isspacep.global q l; vadd.s32.s32.s32 r r r; mov.u32 r %laneid; mov.u32 r %ntid.x;
ld.param.u32 r [n]; ld.const.u32 r [coef+4]; ld.const.f32 f [coef+8]; ld.param.f32 f [x]; ld.const.v2.f32 {f,f} [coef+16]; ld.param.f64 d [y]; cvta.global.u64 l l; activemask.b32 r |30; ld.const.u64 l [coef+8];
mad.hi.s32 r r r r; mul.wide.u16 r h h; add.u16 h h h; shl.b16 h h i; not.b64 l l; cnot.b16 h h; sad.u16 h h h h; bfe.s64 l l i i; bfi.b64 l l l i i; bfind.shiftamt.u32 r r; clz.b64 r l; brev.b64 l l;
selp.b16 h h h q; mov.b32 r {h,h}; mov.b32 {h,h} r; vsub.s32.u32.s32 r r r; vadd2.s32.s32.s32 r r r r |30; vset.s32.s32.lt r r r; vmad.s32.s32.s32 r r r r; vshl.u32.u32.u32.clamp r r r; shf.r.clamp.b32 r r r r |32;
mov.pred q q; xor.pred q q q; set.eq.s32.s32 r r r; slct.u64.s32 l l l r; min.s64 l l l; sub.s16 h h h; mul.lo.u16 h h h; mad.wide.s16 r h h r; cvt.u16.u32 h r; cvt.s32.s16 r h; cvt.sat.s16.s32 h r; dp2a.lo.s32.s32 r r r r |61;
mul24.hi.s32 r r r; bmsk.clamp.b32 r r r |70; szext.wrap.s32 r r r |70; fns.b32 r r r 1 |30; subc.cc.u32 r r r; madc.lo.cc.u32 r r r r |20; mov.u32 r %clock; mov.u64 l %clock64; mov.u32 r %smid; abs.s64 l l; ld.const.u8 r [coef+3];
cvta.to.shared.u64 l l; mov.u32 r tile; mov.u64 l own"""
FP64 = """add.f64 d d d; mul.f64 d d d; fma.rn.f64 d d d d; div.rn.f64 d d d; sqrt.rn.f64 d d; rcp.rn.f64 d d; neg.f64 d d; min.f64 d d d; mov.f64 d d; setp.lt.f64 q d d; selp.f64 d d d q;
cvt.f64.f32 d f; cvt.rn.f32.f64 f d; cvt.rzi.s32.f64 r d; cvt.rn.f64.s32 d r; abs.f64 d d; rsqrt.approx.f64 d d; rcp.approx.ftz.f64 d d; cvt.f64.f16 d h |20; cvt.rn.f16.f64 h d; mad.rn.f64 d d d d; setp.gtu.or.f64 q|q d d q; cvt.rmi.f64.f64 d d; cvt.rzi.u64.f64 l d; copysign.f64 d d d;
testp.normal.f64 q d; slct.f64.s32 d d d r"""
SFU = """div.rn.f32 f f f; div.approx.f32 f f f; rcp.approx.f32 f f; rcp.rn.f32 f f; sqrt.rn.f32 f f; sqrt.approx.f32 f f; rsqrt.approx.f32 f f; sin.approx.f32 f f; cos.approx.f32 f f;
ex2.approx.f32 f f; lg2.approx.f32 f f; tanh.approx.f32 f f |75; div.s32 r r i; rem.u32 r r i; div.u64 l l 7; rem.s64 l l 3; div.full.f32 f f f; div.u16 h h 3; ex2.approx.f16 h h |75; tanh.approx.f16 h h |75; sqrt.rz.ftz.f32 f f"""
# A: D's slot of the thread (16 bytes), S: shared slot of the thread (16 bytes), O: local, G: shared slot as a generic address, L: local slot likewise, T: the table tab, K: a counter
LS = """ld.global.f32 f A; ld.global.u32 r A; ld.global.v2.f32 {f,f} A; ld.global.v4.u32 {r,r,r,r} A; ld.global.f64 d A; ld.global.u64 l A; ld.global.u32 r T; ld.global.ca.f32 f T; ldu.global.f32 f A; ld.global.u8 r A;
st.global.f32 A f; st.global.u32 A r; st.global.v2.f32 A {f,f}; st.global.v4.u32 A {r,r,r,r}; st.global.f64 A d; ld.shared.f32 f S; ld.shared.u32 r S; ld.shared.v2.f32 {f,f} S; ld.shared.f64 d S;
ld.shared.v4.f32 {f,f,f,f} S; st.shared.f32 S f; st.shared.u32 S r; st.shared.v2.u32 S {r,r}; st.shared.f64 S d; ld.local.f32 f O; ld.local.u64 l O; st.local.f32 O f; st.local.v2.f32 O {f,f};
ld.f32 f A; ld.u32 r G; ld.f32 f L; st.f32 G f; st.u32 L r; st.u32 A r; ld.v2.u32 {r,r} G; prefetch.global.L1 A; prefetch.global.L2 A; atom.global.add.u32 r K r; atom.global.add.f32 f A f;
atom.global.cas.b32 r A r r; atom.global.exch.b32 r A r; atom.shared.add.u32 r S r; atom.shared.max.s32 r S r; atom.add.u32 r G r; atom.or.b32 r A r; red.global.add.u32 K r; red.shared.add.u32 S r;
red.global.add.f32 A f; red.global.min.s32 A r; atom.global.add.u64 l A l; atom.global.inc.u32 r K r; atom.global.cas.b64 l A l l; atom.global.add.f64 d A d |60; atom.shared.add.f32 f S f; red.shared.or.b32 S r; ld.volatile.global.f32 f A;
ld.global.nc.f32 f A |35; st.volatile.shared.u32 S r; ld.global.v2.f64 {d,d} A; ldu.global.v4.f32 {f,f,f,f} A; ld.local.v4.f32 {f,f,f,f} O; ld.global.s8 r A; st.global.u16 A h; ld.shared.u16 h S; prefetchu.L1 A; prefetch.local.L1 L;
st.global.wb.f32 A f; ld.global.v4.b32 {r,r,r,r} A; red.global.inc.u32 K r"""
CONTROL = "membar.gl; membar.cta; membar.sys; fence.sc.gpu |70; fence.acq_rel.cta |70; nanosleep.u32 20 |70; pmevent 3"
TABLES = [(FP32, 5), (INT32, 6), (FP64, 2), (SFU, 2), (LS, 5), (CONTROL, 0.3)]
STATEMENTS = {"data": 14, "choice": 2, "loop": 1, "tangle": 0.5, "exit": 0.5, "barrier": 1.5, "together": 0.7, "arithmetic": 1.5, "memory": 1.5, "call": 1.2, "switch": 0.4, "leave": 0.3, "return": 0.3}
POOLS = {"f": ("%f", 7), "r": ("%r", 7), "l": ("%l", 4), "d": ("%d", 4), "q": ("%q", 4), "h": ("%h", 4)}
TARGETS = [20, 20, 30, 35, 53, 61, 70, 75, 80, 90]


def rows(table):
    for line in table.replace("\n", " ").split(";"):
        words, _, least = line.partition("|") if " |" in line and line.rstrip()[-1].isdigit() and "q|q" not in line.split()[-1] else (line, "", "0")
        words = words.split()
        if words:
            yield words[0], words[1:], int(least or 0)


PARSED = [([r for r in rows(t)], weight) for t, weight in TABLES]


class Kernel:
    """Makes the text. `tops` is true where all lanes of a warp are together and every warp of the block comes by: barriers are possible there."""
    def __init__(self, rng):
        self.rng, self.lines, self.labels, self.needs, self.budget = rng, [], 0, set(), rng.choice([4, 8, 15, 25, 40])
        self.target = rng.choice(TARGETS)
        self.has_barriers, self.functions, self.body_only, self.depth, self.is_flat, self.tails, self.is_whole = rng.random() < 0.5, [], False, 0, True, [], True
        self.weights = [w * rng.choice([0.3, 1, 1, 3]) for _, w in PARSED]
        self.likely = {k: w * rng.choice([0.2, 1, 1, 5]) for k, w in STATEMENTS.items()}
        self.size = rng.choice([2, 3, 7]) # few registers: many dependences
        self.known = ["%c0", "%c1", "%c3", "%c4", "%c5", "%c6"]

    # ---- small pieces ----

    def label(self):
        self.labels += 1
        return "L%d" % self.labels

    def add(self, *lines):
        for line in lines:
            self.lines.append(line)
            self.budget -= 1

    def mark(self, label):
        self.lines.append(label + ":")

    def pick(self, pool):
        name, n = POOLS[pool]
        return "%s%d" % (name, self.rng.randrange(min(n, self.size)))

    def where(self, what):
        rng = self.rng
        self.needs.add(what)
        if what == "K":
            return "[%%a3+%d]" % (4 * rng.randrange(2, 8))
        if what == "T":
            return "[tab+%d]" % (4 * rng.randrange(4))
        if what == "O":
            return "[own]"
        return "[%s]" % {"A": "%a2", "S": "%s1", "G": "%a4", "L": "%a5"}[what]

    def operand(self, word):
        rng = self.rng
        if word in POOLS:
            return self.pick(word)
        if word == "q|q":
            a, b = rng.sample(range(4), 2)
            return "%%q%d|%%q%d" % (a, b)
        if word == "i":
            return str(rng.randrange(1, 8))
        if word == "n":
            return "0f%08X" % rng.choice([0x3f800000, 0x40000000, 0xbf000000])
        if word[0] == "{":
            name, n = POOLS[word[1]]
            return "{%s}" % ", ".join("%s%d" % (name, k) for k in rng.sample(range(n), word.count(word[1])))
        return self.where(word) if word in "ASOGLTK" else word

    def guard(self):
        rng = self.rng
        if rng.random() < 0.85:
            return ""
        return "@%s%s " % (rng.choice(["", "!"]), rng.choice([self.pick("q"), "%%p%d" % rng.randrange(4)]))

    def data(self):
        rng = self.rng
        while True:
            table = rng.choices(PARSED, self.weights)[0][0]
            op, words, least = rng.choice(table)
            if least <= self.target and not (self.body_only and (set(words) & {*"ASOGLTK", "tile", "own"} or "param" in op)) and not (False):
                break
        if table is PARSED[-1][0]:
            self.add("%s %s;" % (op, " ".join(words)) if words else op + ";")
            return
        if op.startswith("ld.param"):
            self.needs.add("P")
        self.add("%s%s %s;" % (self.guard(), op, ", ".join(self.operand(w) for w in words)))

    # ---- control ----

    def condition(self, uniform=False):
        """A predicate of known value. uniform: the same for the block."""
        rng, a = self.rng, rng_pick(self.rng, ["%c1", "%c2"] if uniform else self.known)
        p = "%%p%d" % rng.randrange(4)
        q = "%%p%d" % ((int(p[2:]) + 1) % 4)
        kind, compare = rng.randrange(5), rng.choice(["eq", "ne", "lt", "le", "gt", "ge"])
        if uniform or kind == 0:
            self.add("setp.%s.u32 %s, %s, %d;" % (compare, p, a, rng.randrange(0, 40 if not uniform else 3)))
        elif kind == 1:
            self.add("and.b32 %%c8, %s, %d;" % (a, rng.choice([1, 2, 3, 5, 8, 16, 32])), "setp.%s.u32 %s, %%c8, %d;" % (rng.choice(["eq", "ne"]), p, rng.choice([0, 0, 1])))
        elif kind == 2:
            self.add("shr.u32 %%c8, %s, 5;" % a, "setp.%s.s32 %s, %%c8, %d;" % (compare, p, rng.randrange(3)))
        elif kind == 3:
            self.add("setp.%s.u32 %s|%s, %s, %d;" % (compare, p, q, a, rng.randrange(0, 33)))
            p = rng.choice([p, q])
        else:
            self.add("setp.%s.%s.u32 %s, %s, %d, %%p%d;" % (compare, rng.choice(["and", "or", "xor"]), p, a, rng.randrange(0, 33), rng.randrange(4)))
        return p

    def branch(self, p, label):
        self.add("@%s%s bra %s;" % (self.rng.choice(["", "!"]), p, label))

    def choice(self, tops):
        """if, and if with else"""
        rng = self.rng
        uniform = tops and rng.random() < 0.4
        p, end = self.condition(uniform), self.label()
        if rng.random() < 0.5:
            self.branch(p, end)
            self.block(tops and uniform)
        else:
            other = self.label()
            self.branch(p, other)
            self.block(tops and uniform)
            self.add("bra%s %s;" % (rng.choice(["", ".uni"]), end))
            self.mark(other)
            self.block(tops and uniform)
        self.mark(end)

    def tangle(self):
        """Forward branches to labels that don't nest."""
        rng = self.rng
        labels = [self.label() for _ in range(rng.randrange(2, 5))]
        for k, label in enumerate(labels):
            for _ in range(rng.randrange(1, 3)):
                if rng.random() < 0.8:
                    self.branch(self.condition(), rng.choice(labels[k:]))
                self.data()
            self.mark(label)

    def switch(self):
        """brx.idx over two to four targets, of which some may be the place behind."""
        rng, n = self.rng, self.rng.choice([2, 4])
        if self.target < 30:
            return
        table, end = self.label(), self.label()
        targets = [self.label() for _ in range(n)]
        self.mark(table)
        self.lines.append(".branchtargets %s;" % ", ".join(rng.choice(targets + [end]) for _ in range(n)))
        self.add("and.b32 %%c8, %s, %d;" % (rng.choice(self.known), n - 1), "brx.idx %%c8, %s;" % table)
        for label in targets:
            self.mark(label)
            self.block(False)
            if rng.random() < 0.7:
                self.add("bra %s;" % end)
        self.mark(end)

    def leave_early(self, tops):
        """if (lane < n) { ...; exit; }: the rest of the warp goes on, and comes to barriers without those lanes."""
        if not tops or self.body_only or self.tails:
            return
        p, label = "%%p%d" % self.rng.randrange(4), self.label()
        self.add("mov.u32 %c8, %laneid;", "setp.%s.u32 %s, %%c8, %d;" % (self.rng.choice(["lt", "ge"]), p, self.rng.randrange(1, 19)), "@%s bra %s;" % (p, label))
        lines, self.lines = self.lines, [label + ":"]
        self.data()
        self.data()
        self.lines.append("exit;")
        self.is_whole = False
        self.tails, self.lines = self.lines, lines

    def return_early(self, tops):
        """if (condition) return; as nvcc makes it: those lanes stand at the kernel's end."""
        if tops and not self.body_only:
            self.branch(self.condition(), "END")
            self.is_whole = False

    def loop(self, tops):
        rng = self.rng
        if self.depth >= 3:
            return
        k, begin, out, again = "%%k%d" % self.depth, self.label(), self.label(), self.label()
        self.depth += 1
        uniform = tops and rng.random() < 0.6
        bound = str(rng.randrange(1, 5))
        self.add("mov.u32 %s, 0;" % k)
        if not uniform and rng.random() < 0.7:
            bound = "%%b%d" % (self.depth - 1)
            self.add("and.b32 %s, %s, %d;" % (bound, rng.choice(self.known), rng.choice([1, 3, 3, 5])))
        self.mark(begin)
        known = list(self.known)
        self.known.append(k)
        self.block(tops and uniform)
        if rng.random() < 0.3:
            self.branch(self.condition(uniform), out)
            self.data()
        if not uniform and rng.random() < 0.3:
            self.branch(self.condition(), again)
            self.data()
        self.mark(again)
        p = "%%u%d" % (self.depth - 1)
        self.add("add.u32 %s, %s, 1;" % (k, k), "setp.lt.u32 %s, %s, %s;" % (p, k, bound), "@%s bra %s;" % (p, begin))
        self.mark(out)
        self.known, self.depth = known, self.depth - 1

    def exit(self, tops):
        op = "ret" if self.body_only or self.rng.random() < 0.15 else "exit"
        if self.body_only and not self.has_barriers and self.rng.random() < 0.2:
            op = "exit"
        if tops or not self.has_barriers and not self.body_only:
            self.add("@%s%s %s;" % (self.rng.choice(["", "!"]), self.condition(), op))

    def barrier(self, tops):
        if tops and self.has_barriers and not self.body_only:
            if self.rng.random() < 0.85:
                self.add(self.rng.choice(["bar.sync 0;", "bar.sync 0;", "bar.sync 1;"]))
            else:
                self.add("bar.red.popc.u32 %s, 0, %s;" % (self.pick("r"), self.pick("q")))

    def together(self, tops):
        """Instructions of which lanes see each other."""
        rng = self.rng
        forms = ["vote.ballot.b32 %%c5, %%p%d;" % rng.randrange(4), "vote.any.pred %s, %s;" % (self.pick("q"), self.pick("q")), "vote.all.pred %%p3, %%p%d;" % rng.randrange(3)]
        if self.target >= 30:
            forms += ["shfl.bfly.b32 %s, %s, %d, 31;" % (self.pick("r"), self.pick("r"), rng.choice([1, 2, 16])), "shfl.up.b32 %s|%s, %s, 1, 0;" % (self.pick("r"), self.pick("q"), self.pick("r"))]
        if self.target >= 70:
            forms = ["activemask.b32 %c5;", "activemask.b32 %s;" % self.pick("r")]
            if tops and self.has_barriers and not self.body_only and self.is_whole:
                forms += ["shfl.sync.idx.b32 %s, %s, 3, 31, -1;" % (self.pick("r"), self.pick("r")), "vote.sync.ballot.b32 %c5, %p1, -1;", "bar.warp.sync -1;",
                          "match.any.sync.b32 %s, %s, -1;" % (self.pick("r"), self.pick("r"))]
        self.add(rng.choice(forms))

    def arithmetic(self):
        """Known integers."""
        rng, a, b = self.rng, rng_pick(self.rng, self.known), rng_pick(self.rng, self.known)
        to = "%%c%d" % rng.randrange(4, 7)
        op = rng.choice(["add.u32", "sub.u32", "and.b32", "xor.b32", "mul.lo.u32", "shr.u32", "max.u32", "min.s32"])
        guard = "@%sp%d " % (rng.choice(["%", "!%"]), rng.randrange(4)) if rng.random() < 0.2 else ""
        self.add("%s%s %s, %s, %s;" % (guard, op, to, a, rng.choice([b, str(rng.randrange(1, 30))])))

    def known_memory(self):
        """Words of memory and atomics that branches may read: their order is that of issue."""
        rng = self.rng
        to, a = "%%c%d" % rng.randrange(4, 7), rng_pick(self.rng, self.known)
        word = 4 * rng.randrange(2)
        kind = rng.randrange(7)
        if self.body_only:
            return
        if kind == 0:
            self.needs.add("C")
            self.add("ld.global.u32 %s, [%%a1];" % to)
        elif kind == 1:
            self.needs.add("C")
            self.add("st.global.u32 [%%a1], %s;" % a)
        elif kind == 2:
            self.needs.add("K")
            self.add("atom.global.add.u32 %s, [%%a3+%d], %s;" % (to, word, rng.choice(["1", "3", "%c1"])))
        elif kind == 3:
            self.add("atom.shared.%s.u32 %s, [ctl+%d], %s;" % (rng.choice(["add", "max"]), to, word, rng.choice(["1", "2", "%c1"])))
        elif kind == 4:
            self.add("ld.shared.u32 %s, [ctl+%d];" % (to, word))
        elif kind == 5:
            self.add("red.shared.add.u32 [ctl+%d], %d;" % (word, rng.randrange(1, 4)))
        else:
            self.needs.add("K")
            self.add("ld.global.u32 %s, [%%a3+%d];" % (to, word))

    def call(self):
        rng = self.rng
        callable_ = [f for f in self.functions if not self.body_only or f < self.number]
        if not callable_:
            return
        f = rng.choice(callable_)
        n, uni = self.label(), rng.choice(["", ".uni"])
        guard = "@%s%s " % (rng.choice(["", "!"]), "%%p%d" % rng.randrange(4)) if rng.random() < 0.3 else ""
        if f % 2: # no parameters
            self.add("%scall%s fun%d;" % (guard, "" if guard else uni, f))
            return
        self.lines.append("{ .param .b32 x%s; .param .b32 y%s; .param .b32 z%s;" % (n, n, n))
        self.add("st.param.b32 [x%s+0], %s;" % (n, rng.choice(self.known)), "st.param.b32 [y%s+0], %s;" % (n, rng.choice(self.known)),
                 "call%s (z%s), fun%d, (x%s, y%s);" % (uni, n, f, n, n), "ld.param.b32 %%c%d, [z%s+0];" % (rng.randrange(4, 7), n))
        self.lines.append("}")

    def recurse(self):
        p, end, n, f = self.condition(), self.label(), self.label(), self.number
        self.add("ld.param.b32 %b3, [x];", "and.b32 %b3, %b3, 31;", "shr.u32 %%b3, %%b3, %d;" % self.rng.choice([1, 3]), "setp.eq.u32 %s, %%b3, 0;" % p, "@%s bra %s;" % (p, end))
        self.lines.append("{ .param .b32 x%s; .param .b32 y%s; .param .b32 z%s;" % (n, n, n))
        self.add("st.param.b32 [x%s], %%b3;" % n, "st.param.b32 [y%s], %%c5;" % n, "call (z%s), fun%d, (x%s, y%s);" % (n, f, n, n), "ld.param.b32 %%c5, [z%s];" % n)
        self.lines.append("}")
        self.mark(end)

    def statement(self, tops):
        kind = self.rng.choices(list(self.likely), list(self.likely.values()))[0]
        {"data": self.data, "choice": lambda: self.choice(tops), "loop": lambda: self.loop(tops), "tangle": self.tangle, "exit": lambda: self.exit(tops),
         "barrier": lambda: self.barrier(tops), "together": lambda: self.together(tops), "arithmetic": self.arithmetic, "memory": self.known_memory, "call": self.call,
         "switch": self.switch, "leave": lambda: self.leave_early(tops), "return": lambda: self.return_early(tops)}[kind]()

    def block(self, tops):
        for _ in range(self.rng.choice([0, 1, 1, 2, 2, 3, 5])):
            if self.budget > 0:
                self.statement(tops)

    # ---- whole texts ----

    def registers(self):
        return ["\t.reg .%s %s<%d>;" % r for r in (("f32", "%f", 8), ("b32", "%r", 8), ("b64", "%l", 8), ("f64", "%d", 8), ("pred", "%q", 4), ("pred", "%p", 4), ("pred", "%u", 4), ("b16", "%h", 4),
                                                   ("b32", "%c", 10), ("b32", "%k", 4), ("b32", "%b", 4), ("b64", "%a", 8), ("b64", "%e", 4), ("b32", "%s", 4))]

    def function(self, number):
        """A device function: even ones take two words and return one."""
        saved = self.lines, self.budget, self.known, self.needs
        self.lines, self.budget, self.body_only, self.number = [], self.rng.choice([2, 5, 9]), True, number
        self.known = ["%c4", "%c5", "%c6"]
        if number % 2 == 0:
            self.lines += ["ld.param.b32 %c4, [x];", "ld.param.b32 %c5, [y];"]
        else:
            self.lines += ["mov.u32 %c4, %tid.x;", "mov.u32 %c5, %ctaid.x;"]
        recursive = False
        while self.budget > 0:
            self.statement(True)
            if number % 4 == 2 and not recursive and self.rng.random() < 0.3:
                self.recurse()
                recursive = True
        if number % 2 == 0:
            k = next((n for n, line in enumerate(self.lines) if "ret;" in line), len(self.lines))
            if k < len(self.lines): # lanes that return early have a result as well
                self.lines.insert(2, "st.param.b32 [z], %c4;")
            self.lines.append("st.param.b32 [z], %c5;")
        head = ".func (.param .b32 z) fun%d(.param .b32 x, .param .b32 y)" if number % 2 == 0 else ".func fun%d"
        text = [head % number, "{"] + self.registers() + [indent(line) for line in self.lines + ["ret;"]] + ["}"]
        self.lines, self.budget, self.known, self.needs = saved
        self.body_only = False
        self.functions.append(number)
        return text

    def indices(self):
        """%c0 the thread's number in its block, %c1 the block's, %c2 threads of a block, %c3 the thread's number."""
        if not self.is_flat:
            return ["mov.u32 %s0, %ntid.x;", "mov.u32 %s3, %tid.y;", "mov.u32 %s2, %tid.x;", "mad.lo.u32 %c0, %s3, %s0, %s2;", "mov.u32 %s2, %ntid.y;", "mov.u32 %c1, %ctaid.y;", "mul.lo.u32 %c2, %s0, %s2;",
                    "mov.u32 %s2, %nctaid.x;", "mov.u32 %s3, %ctaid.x;", "mad.lo.u32 %c1, %c1, %s2, %s3;", "mad.lo.u32 %c3, %c1, %c2, %c0;"]
        return ["mov.u32 %c0, %tid.x;", "mov.u32 %c1, %ctaid.x;", "mov.u32 %c2, %ntid.x;", "mad.lo.u32 %c3, %c1, %c2, %c0;"]

    def prologue(self):
        """Addresses that the body uses, in a random order that keeps to what depends on what."""
        need, chains = self.needs, []
        for what, a, param, scale in (("C", "%a1", "pC", 4), ("A", "%a2", "pD", 16)):
            if what in need:
                chains.append(["ld.param.u64 %s, [%s];" % (a, param), "mul.wide.u32 %%e%s, %%c3, %d;" % (a[2:], scale), "add.s64 %s, %s, %%e%s;" % (a, a, a[2:])] if self.rng.random() < 0.5 else
                              ["ld.param.u64 %s, [%s];" % (a, param), "mad.wide.u32 %s, %%c3, %d, %s;" % (a, scale, a)])
        if "K" in need:
            chains.append(["ld.param.u64 %a3, [pK];"])
        if "S" in need:
            chains.append(["mov.u32 %s1, tile;", "mad.lo.u32 %s1, %c0, 16, %s1;"])
        if "G" in need:
            chains.append(["mov.u64 %a4, tile;", "cvta.shared.u64 %a4, %a4;", "mad.wide.u32 %a4, %c0, 16, %a4;"])
        if "L" in need:
            chains.append(["mov.u64 %a5, own;", "cvta.local.u64 %a5, %a5;"])
        chains = [c for c in chains if c]
        out = self.indices()
        while chains:
            c = self.rng.choice(chains)
            out.append(c.pop(0))
            chains = [c for c in chains if c]
        return out

    def text(self, threads):
        rng = self.rng
        parts = []
        for number in range(rng.choice([0, 0, 2, 3, 3])):
            parts += self.function(number)
        while self.budget > 0:
            self.statement(True)
        body = self.prologue() + self.lines + ["END:", rng.choice(["exit;", "ret;"])] + self.tails
        head = [".version %s" % ("7.8" if self.target >= 70 else "6.5"), ".target sm_%d" % self.target, ".address_size 64",
                ".const .align 16 .u32 coef[8] = {1065353216, 2, 1073741824, 3, 1056964608, 5, 6, 7};", ".global .align 16 .u32 tab[4] = {5, 6, 7, 8};"]
        kernel = [".visible .entry k(.param .u64 pC, .param .u64 pD, .param .u64 pK, .param .u32 n, .param .f32 x, .param .f64 y)", "{"] + self.registers()
        kernel += ["\t.shared .align 16 .b8 tile[%d];" % (16 * threads), "\t.shared .align 4 .u32 ctl[4];", "\t.local .align 16 .b8 own[16];"]
        return "\n".join(head + parts + kernel + [indent(line) for line in body] + ["}", ""])


def rng_pick(rng, of):
    return rng.choice(of)


def indent(line):
    return line if line.endswith(":") else "\t" + line


def options(rng):
    """Random options, as the model takes them."""
    n = rng.choice([1, 1, 2, 2, 3, 4, 4])
    units = {"FP32": rng.choice([8, 16, 32, 64, 128, 192, 256]), "INT32": rng.choice([0, 0, 8, 16, 64, 128]), "FP64": rng.choice([1, 2, 4, 16, 64]), "SFU": rng.choice([1, 2, 4, 8, 16, 32, 256]),
             "LS": rng.choice([4, 8, 16, 32, 128])}
    pairs = rng.choice(["any", "fp32", "int32"])
    if rng.random() < (0.6 if pairs == "fp32" else 0.1): # a third of the units is shared
        n, units["FP32"] = rng.choice([(2, 48), (4, 192)])
    top = rng.choice([6, 24, 40])
    latency = {k: rng.randrange(1, top) for k in ("FP32", "INT32", "FP64", "SFU", "CONTROL")}
    per_cluster = rng.choice([1, 1, 1, 2])
    return Options(schedulers=n, width=rng.choice([1, 2, 2]), pairs=pairs, policy=rng.choice(["rr", "rr", "lowest", "ahead", "behind"]), units=units, latency=latency,
                   memory={"shared": rng.randrange(1, top + 10), "global": rng.choice([1, 10, 100, 400, rng.randrange(1, 500)])}, cores=per_cluster * rng.choice([1, 1, 2, 3, 5]),
                   warps=rng.choice([2, 4, 6, 8, 16]), blocks=rng.choice([1, 2, 3, 8]), per_cluster=per_cluster, shared_bytes=rng.choice([16384, 16384, 49152]))


# compute capabilities | schedulers | width, pairs | FP32, INT32, FP64, SFU, LS | FP32 latency | blocks, warps, KB of shared memory (NVIDIA's tables)
MACHINES = """10 11 | 1 | 1 any | 8 0 1 2 8 | 24 | 8 24 16
12 13 | 1 | 1 any | 8 0 1 2 8 | 24 | 8 32 16
20 | 2 | 1 any | 32 0 16 4 16 | 24 | 8 48 48
21 | 2 | 2 fp32 | 48 0 4 8 16 | 24 | 8 48 48
30 | 4 | 2 fp32 | 192 0 8 32 32 | 9 | 16 64 48
35 | 4 | 2 fp32 | 192 0 64 32 32 | 9 | 16 64 48
37 | 4 | 2 fp32 | 192 0 64 32 32 | 9 | 16 64 112
50 53 | 4 | 1 any | 128 0 4 32 32 | 6 | 32 64 64
52 | 4 | 1 any | 128 0 4 32 32 | 6 | 32 64 96
60 | 2 | 1 any | 64 0 32 16 16 | 6 | 32 64 64
61 | 4 | 1 any | 128 0 4 32 32 | 6 | 32 64 96
62 | 4 | 1 any | 128 0 4 32 32 | 6 | 32 64 64
70 72 | 4 | 2 int32 | 64 64 32 16 16 | 4 | 32 64 96
75 | 4 | 2 int32 | 64 64 2 16 16 | 4 | 16 32 64
80 | 4 | 1 any | 64 64 32 16 16 | 4 | 32 64 164
86 | 4 | 1 any | 128 64 2 16 16 | 4 | 16 48 100
87 | 4 | 1 any | 128 64 2 16 16 | 4 | 16 48 164
89 | 4 | 1 any | 128 64 2 16 16 | 4 | 24 48 100
90 100 | 4 | 1 any | 128 64 64 16 16 | 4 | 32 64 228
120 | 4 | 1 any | 128 64 2 16 16 | 4 | 24 48 100"""
KINDS = ("FP32", "INT32", "FP64", "SFU", "LS")


def machines():
    """The configurations by name."""
    for line in MACHINES.split("\n"):
        names, schedulers, pairs, units, fp32, limits = [c.split() for c in line.split("|")]
        fp32, limits = int(fp32[0]), [int(n) for n in limits]
        for name in names:
            cc = int(name)
            granule = 512 if cc < 20 else 128 if cc < 30 or cc >= 80 else 256
            yield Options(machine="cc" + name, schedulers=int(schedulers[0]), width=int(pairs[0]), pairs=pairs[1], units=dict(zip(KINDS, map(int, units))), blocks=limits[0], warps=limits[1],
                          latency={"FP32": fp32, "INT32": fp32, "CONTROL": fp32, "FP64": 2 * fp32, "SFU": 2 * fp32}, shared_bytes=1024 * limits[2],
                          granule=granule, reserved=1024 if cc >= 80 else 0)


def on_machine(o):
    """A case for a configuration: as many blocks as fit, and some more."""
    rng = random.Random(o.machine)
    k, threads = Kernel(rng), rng.choice([32, 48, 64])
    k.budget, blocks = 8, min(o.blocks, o.warps // -(-threads // 32)) + 3
    return k.text(threads), o, {"kernel": "k", "grid": (blocks, 1), "block": (threads, 1), "blocks": blocks, "threads": threads, "shared": 0}


def case(seed):
    """(text, options, launch) of a seed."""
    rng = random.Random(seed)
    o = options(rng)
    threads = min(rng.choice([32, 32, 64, 64, 96, 128, 20, 48, 75, 256]), 32 * o.warps)
    k = Kernel(rng)
    grid, block = (rng.choice([1, 1, 2, 3, 4, 7, 12]), 1), (threads, 1)
    k.is_flat = rng.random() < 0.8
    if not k.is_flat:
        grid, block = (rng.choice([1, 2, 3]), rng.choice([1, 2])), (threads // 4, rng.choice([1, 2, 3, 4]))
    shared = rng.choice([0, 0, 0, 1024, 6000])
    return k.text(block[0] * block[1]), o, {"shared": shared, "kernel": "k", "grid": grid, "block": block, "blocks": grid[0] * grid[1], "threads": block[0] * block[1]}


if __name__ == "__main__":
    print(case(int(sys.argv[1]))[0])
