"""Random kernels and what each of their threads goes through, computed here and not by warpstep.

A kernel is made of instructions, ifs, loops, calls and barriers, without races: a thread reads shared memory that others wrote only
after a barrier, and global memory only where it alone writes. It is executed a warp at a time, as the manual says: lanes that part meet
again after the if or the loop, and the side that has the highest lane comes last. So it is known, too, which lanes execute an
instruction together.
"""
import os
import random
import re

LANES = int(os.environ.get('LANES', 32))  # threads of a warp
SLOTS = 6      # words of global memory a thread has for itself
COUNTERS = 4   # words before those that all threads add to
MASK = 0xffffffff


# ---- what a kernel is made of ----

class Insn:
    """One line of PTX. `effect` changes registers and memory of one lane; `guard` is a predicate's name, with ! before it or not."""
    def __init__(self, text, effect=None, guard=None):
        self.text, self.effect, self.guard, self.line = text, effect, guard, 0


class If:
    def __init__(self, pred, then, other):
        self.pred, self.then, self.other = pred, then, other
        self.branch, self.jump = Insn(''), Insn('')


class Loop:
    """A counter and its bound; `leave` is a predicate that ends the loop in the middle of its body, or None."""
    def __init__(self, count, bound, pred, head, tail, leave):
        self.count, self.bound, self.pred, self.head, self.tail, self.leave = count, bound, pred, head, tail, leave
        self.begin, self.branch_out = Insn('mov.u32 %%%s, 0;' % count, set_to(count, lambda f, i: 0)), Insn('')
        self.add = Insn('add.u32 %%%s, %%%s, 1;' % (count, count), set_to(count, lambda f, i: f[count][i] + 1 & MASK))
        self.test = Insn('setp.lt.u32 %%%s, %%%s, %s;' % (pred, count, operand(bound)),
                         set_to(pred, lambda f, i: int(f[count][i] < value(f, bound, i))))
        self.branch = Insn('')


class Call:
    """`pairs` are the caller's registers for the parameters, `result` that for the value returned."""
    def __init__(self, function, arguments, result, guard=None):
        self.function, self.arguments, self.result, self.guard = function, arguments, result, guard
        self.before, self.call = [], Insn('')


class Barrier:
    def __init__(self):
        self.insn = Insn('bar.sync 0;')


class Leave:
    """`@p ret;` at the top of a function."""
    def __init__(self, pred):
        self.pred, self.insn = pred, Insn('@%%%s ret;' % pred)


class Function:
    def __init__(self, name, parameters, is_kernel):
        self.name, self.parameters, self.is_kernel = name, parameters, is_kernel
        self.registers, self.body, self.first, self.last = [], [], 0, 0
        self.ret, self.by_register = Insn('ret;'), False


def operand(x):
    return '%' + x if isinstance(x, str) else str(x)


def value(f, x, i):
    return f[x][i] if isinstance(x, str) else x


def set_to(name, compute):
    def effect(run, f, i):
        f[name][i] = compute(f, i)
    return effect


ALU = {
    'add.u32': lambda a, b: a + b & MASK,
    'sub.u32': lambda a, b: a - b & MASK,
    'mul.lo.u32': lambda a, b: a * b & MASK,
    'and.b32': lambda a, b: a & b,
    'or.b32': lambda a, b: a | b,
    'xor.b32': lambda a, b: a ^ b,
    'min.u32': min,
    'max.u32': max,
    'shl.b32': lambda a, b: a << b & MASK if b < 32 else 0,
    'shr.u32': lambda a, b: a >> b if b < 32 else 0,
}
COMPARE = {'eq': lambda a, b: a == b, 'ne': lambda a, b: a != b, 'lt': lambda a, b: a < b, 'ge': lambda a, b: a >= b}


# ---- making one ----

class Maker:
    """Makes a function's body. Registers a.. hold data, c.. count loops; p.. are free predicates, q.. those of ifs and loops."""
    def __init__(self, rng, function, callees, shared):
        self.r, self.f, self.callees, self.shared = rng, function, callees, shared
        self.n = {}
        self.data = []

    def new(self, kind):
        self.n[kind] = self.n.get(kind, 0) + 1
        name = kind + str(self.n[kind])
        self.f.registers.append(name)
        return name

    def pick(self):
        return self.r.choice(self.data)

    def source(self):
        return self.r.choice([self.pick(), self.pick(), self.r.randrange(8), self.r.randrange(1 << 32)])

    def plain(self):
        r = self.r
        kind = r.random()
        to, a, b = r.choice(self.free), self.pick(), self.source()
        guard = r.choice(self.preds) if self.preds and r.random() < 0.2 else None
        if guard and r.random() < 0.3:
            guard = '!' + guard
        if kind < 0.6:
            op = r.choice(list(ALU))
            if op.startswith('sh'):
                b = r.randrange(34)
            return Insn('%s %%%s, %%%s, %s;' % (op, to, a, operand(b)),
                        set_to(to, lambda f, i: ALU[op](f[a][i], value(f, b, i))), guard)
        if kind < 0.7:
            return Insn('mad.lo.u32 %%%s, %%%s, %s, %%%s;' % (to, a, operand(b), a),
                        set_to(to, lambda f, i: f[a][i] * value(f, b, i) + f[a][i] & MASK), guard)
        if kind < 0.8 and self.preds:
            p = r.choice(self.preds)
            return Insn('selp.b32 %%%s, %%%s, %s, %%%s;' % (to, a, operand(b), p),
                        set_to(to, lambda f, i: f[a][i] if f[p][i] else value(f, b, i)), guard)
        if kind < 0.9 and self.preds:
            return self.compare(r.choice(self.preds))
        if self.f.is_kernel:
            return self.memory(guard)
        return Insn('not.b32 %%%s, %%%s;' % (to, a), set_to(to, lambda f, i: f[a][i] ^ MASK), guard)

    def compare(self, pred):
        a, op = self.pick(), self.r.choice(list(COMPARE))
        if self.r.random() < 0.6: # of the low bits, so that both ways are taken
            m = self.r.choice([1, 3, 7])
            self.extra = self.masked(self.mask, a, m)
            a, b = self.mask, self.r.randrange(m + 1)
        else:
            self.extra, b = None, self.source()
        return Insn('setp.%s.u32 %%%s, %%%s, %s;' % (op, pred, a, operand(b)),
                    set_to(pred, lambda f, i: int(COMPARE[op](f[a][i], value(f, b, i)))))

    @staticmethod
    def masked(to, a, m):
        return Insn('and.b32 %%%s, %%%s, %d;' % (to, a, m), set_to(to, lambda f, i: f[a][i] & m))

    def memory(self, guard):
        a, to, k = self.pick(), self.r.choice(self.free), self.r.randrange(SLOTS)
        kind = self.r.random()
        if kind < 0.4:
            return Insn('st.global.u32 [%%rd2+%d], %%%s;' % (4 * k, a), lambda run, f, i: run.store(i, k, f[a][i]), guard)
        if kind < 0.7:
            return Insn('ld.global.u32 %%%s, [%%rd2+%d];' % (to, 4 * k), lambda run, f, i: f[to].__setitem__(i, run.load(i, k)), guard)
        c = self.r.randrange(COUNTERS)
        return Insn('red.global.add.u32 [%%rd1+%d], %%%s;' % (4 * c, a), lambda run, f, i: run.count(c, f[a][i]), guard)

    def plains(self, n):
        out = []
        for _ in range(n):
            self.extra = None
            insn = self.plain()
            out += [self.extra] if self.extra else []
            out.append(insn)
        return out

    def tested(self, pred):
        insn = self.compare(pred)
        return ([self.extra] if self.extra else []) + [insn]

    def statement(self, depth, uniform):
        r, kind = self.r, self.r.random()
        if depth and kind < 0.25:
            pred = self.new('q')
            other = self.body(depth - 1, False) if r.random() < 0.6 else []
            return self.tested(pred) + [If(pred, self.body(depth - 1, False), other)]
        if depth and kind < 0.45:
            return self.loop(depth, uniform)
        if self.callees and kind < 0.6:
            return [self.call(r.choice(self.callees))]
        if uniform and self.f.is_kernel and kind < 0.68:
            return self.exchange()
        return self.plains(r.randint(1, 2))

    def body(self, depth, uniform, n=None):
        out = []
        for _ in range(n or self.r.randint(1, 3)):
            out += self.statement(depth, uniform)
        return out

    def loop(self, depth, uniform):
        r = self.r
        count, pred = self.new('c'), self.new('q')
        uniform &= r.random() < 0.5
        before = []
        if uniform:
            bound = r.randint(1, 3)
        else:
            bound = self.new('b')
            before = [self.masked(bound, self.pick(), r.choice([1, 3]))]
        leave = self.new('q') if not uniform and r.random() < 0.3 else None
        head = self.body(depth - 1, uniform) + (self.tested(leave) if leave else [])
        tail = self.body(depth - 1, uniform) if leave else []
        return before + [Loop(count, bound, pred, head, tail, leave)]

    def call(self, callee):
        r = self.r
        arguments = [self.pick() for _ in callee.parameters]
        guard = r.choice(self.preds) if r.random() < 0.2 else None
        c = Call(callee, arguments, r.choice(self.free), guard)
        if callee.is_recursive:
            c.before.append(self.masked(self.mask, arguments[0], 3))
            arguments[0] = self.mask
        return c

    def exchange(self):
        """Writes to shared memory, waits, and reads what another thread wrote."""
        a, to, by = self.pick(), self.r.choice(self.free), self.r.randint(1, 40)
        n, t = self.shared, self.mask
        return [Insn('st.shared.u32 [%%sa], %%%s;' % a, lambda run, f, i: run.share(run.tid(i), f[a][i])), Barrier(),
                Insn('add.u32 %%%s, %%me, %d;' % (t, by), set_to(t, lambda f, i: f['me'][i] + by)),
                Insn('rem.u32 %%%s, %%%s, %d;' % (t, t, n), set_to(t, lambda f, i: f[t][i] % n)),
                Insn('shl.b32 %%%s, %%%s, 2;' % (t, t), set_to(t, lambda f, i: f[t][i] << 2)),
                Insn('ld.shared.u32 %%%s, [%%%s];' % (to, t), lambda run, f, i: f[to].__setitem__(i, run.shared[f[t][i] >> 2])),
                Barrier()]


class Kernel:
    """`lines` is the PTX; `functions` come by name; `places` are the lines of instructions, by function."""
    def __init__(self, seed, unique=False):
        """`unique`: no thread comes to a line twice with the same registers and callers."""
        r = self.r = random.Random('kernel %s' % seed)
        while True:
            self.block = min(r.choice([1, 3, 8, 32, 33, 40, 64, 70]), 64 * LANES)
            self.grid = r.choice([1, 1, 1, 2, 3]) if self.block <= 40 else 1
            self.make()
            self.text()
            self.lanes = None
            if self.run() and max(len(t) for t in self.lanes) < 500 and self.spent < 40000:
                if not unique or all(self.is_unique(way) for way in self.lanes):
                    break

    @staticmethod
    def is_unique(way):
        states = [(s.line, s.calls, tuple((s.regs or {}).values())) for s in way]
        return len(set(states)) == len(states)

    # ---- the parts ----

    def make(self):
        r = self.r
        self.functions, callees = [], []
        for k in range(r.randint(0, 3)):
            f = self.make_function('f%d' % k, callees)
            callees = callees + [f]
            self.functions.append(f)
        f = self.kernel = Function('k', [], True)
        f.registers = ['me', 'cta', 'nt', 'gid', 'sa', 'z', 't']
        m = Maker(r, f, callees, self.block)
        m.mask = 't'
        m.free = [m.new('a') for _ in range(r.randint(2, 5))]
        m.preds = [m.new('p') for _ in range(2)]
        m.data = m.free + ['me', 'gid']
        f.wide = ['rd1', 'rd2']
        head = [Insn('ld.param.u64 %rd1, [out];', lambda run, f, i: f['rd1'].__setitem__(i, run.base)),
                Insn('mov.u32 %me, %tid.x;', lambda run, f, i: f['me'].__setitem__(i, run.tid(i))),
                Insn('mov.u32 %cta, %ctaid.x;', lambda run, f, i: f['cta'].__setitem__(i, run.cta)),
                Insn('mov.u32 %nt, %ntid.x;', lambda run, f, i: f['nt'].__setitem__(i, run.k.block)),
                Insn('mad.lo.u32 %gid, %cta, %nt, %me;', set_to('gid', lambda f, i: f['cta'][i] * f['nt'][i] + f['me'][i])),
                Insn('mul.wide.u32 %%rd2, %%gid, %d;' % (4 * SLOTS), set_to('rd2', lambda f, i: f['gid'][i] * 4 * SLOTS)),
                Insn('add.u64 %rd2, %rd2, %rd1;', set_to('rd2', lambda f, i: f['rd2'][i] + f['rd1'][i])),
                Insn('add.u64 %%rd2, %%rd2, %d;' % (4 * COUNTERS), set_to('rd2', lambda f, i: f['rd2'][i] + 4 * COUNTERS)),
                Insn('shl.b32 %sa, %me, 2;', set_to('sa', lambda f, i: f['me'][i] << 2)),
                Insn('mov.u32 %z, 5;', set_to('z', lambda f, i: 5))]
        self.z = head[-1]
        head += [self.first_value(r, a) for a in m.free[:2]]
        if r.random() < 0.3:
            head += m.tested(m.preds[0]) + [Leave(m.preds[0])]
        tail = [self.last_store(m.free[k % len(m.free)], k) for k in range(r.randint(1, SLOTS))]
        f.body = head + m.body(r.randint(1, 3), True, r.randint(2, 5)) + tail

    @staticmethod
    def first_value(r, a):
        by = r.choice([1, 3, 5, 7, 1103515245])
        return Insn('mad.lo.u32 %%%s, %%gid, %d, %%gid;' % (a, by), set_to(a, lambda f, i: f['gid'][i] * by + f['gid'][i] & MASK))

    @staticmethod
    def last_store(a, k):
        return Insn('st.global.u32 [%%rd2+%d], %%%s;' % (4 * k, a), lambda run, f, i: run.store(i, k, f[a][i]))

    def make_function(self, name, callees):
        r = self.r
        f = Function(name, ['x%d' % i for i in range(r.randint(1, 3))], False)
        f.by_register = r.random() < 0.4
        f.wide = []
        f.registers = ['t']
        m = Maker(r, f, callees, self.block)
        m.mask = 't'
        m.data = [m.new('a') for _ in range(max(len(f.parameters), 2))]
        m.free, m.preds = list(m.data), [m.new('p')]
        f.is_recursive = not f.by_register and r.random() < 0.3
        head = [self.load_parameter(f, m.data[k], x) for k, x in enumerate(f.parameters)]
        if f.is_recursive:
            a, q, m.free, m.data = m.data[0], m.new('q'), m.data[1:], m.data[1:]
            down = Insn('sub.u32 %%t, %%%s, 1;' % a, set_to('t', lambda f, i: f[a][i] - 1))
            c = Call(f, ['t'] + [m.pick() for _ in f.parameters[1:]], m.free[0])
            body = [Insn('setp.ne.u32 %%%s, %%%s, 0;' % (q, a), set_to(q, lambda f, i: int(f[a][i] != 0))),
                    If(q, [down, c], [])] + m.plains(1)
        else:
            body = m.tested(m.preds[0]) + [Leave(m.preds[0])] if r.random() < 0.2 and not f.by_register else []
            body += m.body(r.randint(0, 1), False, r.randint(1, 2))
        f.result = m.free[0]
        end = Insn(('mov.u32 res, %%%s;' if f.by_register else 'st.param.b32 [res], %%%s;') % f.result,
                   lambda run, frame, i: run.results.__setitem__(i, frame[f.result][i]))
        if any(isinstance(s, Leave) for s in body): # a result before it leaves
            early = Insn('st.param.b32 [res], 7;', lambda run, f, i: run.results.__setitem__(i, 7))
            head.append(early)
        f.body = head + body + [end]
        return f

    @staticmethod
    def load_parameter(f, to, x):
        text = 'mov.u32 %%%s, %s;' % (to, x) if f.by_register else 'ld.param.b32 %%%s, [%s];' % (to, x)
        return Insn(text, lambda run, f, i: f[to].__setitem__(i, f['$' + x][i]))

    # ---- as text ----

    def text(self):
        self.out, self.labels = [], 0
        self.put('.version 7.0', '.target sm_70', '.address_size 64', '')
        self.where = {}
        for f in self.functions + [self.kernel]:
            self.write_function(f)
        self.lines = self.out
        self.used = {(self.where[l].name, n) for l in self.where for n in re.findall(r'%([a-z]+[0-9]*)', self.out[l - 1])}
        self.places = {f.name: sorted(l for l, g in self.where.items() if g is f) for f in self.functions + [self.kernel]}

    def put(self, *texts):
        self.out += texts

    def insn(self, insn, text=None):
        guard = insn.guard
        text = text or insn.text
        if guard:
            text = '@%s%%%s %s' % ('!' if guard[0] == '!' else '', guard.lstrip('!'), text)
        self.put('    ' + text)
        insn.line = len(self.out)
        self.where[insn.line] = self.current

    def write_function(self, f):
        self.current = f
        if f.is_kernel:
            self.put('.visible .entry %s (.param .u64 out)' % f.name)
        else:
            kind = '.reg .b32 ' if f.by_register else '.param .b32 '
            self.put('.func (%sres) %s (%s)' % (kind, f.name, ', '.join(kind + x for x in f.parameters)))
        f.first = len(self.out)
        self.put('{')
        for name in f.registers:
            self.put('    .reg .%s %%%s;' % ('pred' if name[0] in 'pq' else 'b32', name))
        for name in f.wide:
            self.put('    .reg .b64 %%%s;' % name)
        if f.is_kernel:
            self.put('    .shared .align 4 .b32 tile[%d];' % self.block)
        self.write(f.body)
        self.insn(f.ret)
        self.put('}')
        f.last = len(self.out)

    def label(self):
        self.labels += 1
        return 'L%d' % self.labels

    def write(self, body):
        for s in body:
            if isinstance(s, Insn):
                self.insn(s)
            elif isinstance(s, (Barrier, Leave)):
                self.insn(s.insn)
            elif isinstance(s, If):
                self.write_if(s)
            elif isinstance(s, Loop):
                self.write_loop(s)
            else:
                self.write_call(s)

    def write_if(self, s):
        other, end = self.label(), self.label()
        self.insn(s.branch, '@!%%%s bra %s;' % (s.pred, other if s.other else end))
        self.write(s.then)
        if s.other:
            self.insn(s.jump, 'bra %s;' % end)
            self.put(other + ':')
            self.write(s.other)
        self.put(end + ':')

    def write_loop(self, s):
        again, out = self.label(), self.label()
        self.insn(s.begin)
        self.put(again + ':')
        self.write(s.head)
        if s.leave:
            self.insn(s.branch_out, '@%%%s bra %s;' % (s.leave, out))
            self.write(s.tail)
        self.insn(s.add)
        self.insn(s.test)
        self.insn(s.branch, '@%%%s bra %s;' % (s.pred, again))
        self.put(out + ':')

    def write_call(self, s):
        f = s.function
        guard = '@%%%s ' % s.guard if s.guard else ''
        for insn in s.before:
            self.insn(insn)
        if f.by_register:
            self.insn(s.call, '%scall (%%%s), %s, (%s);' % (guard, s.result, f.name, ', '.join('%' + a for a in s.arguments)))
            return
        names = ['v%d' % i for i in range(len(s.arguments))]
        self.put('    {')
        self.put('    .param .b32 w;', *('    .param .b32 %s;' % n for n in names))
        s.stores = [Insn('st.param.b32 [%s], %%%s;' % (n, a)) for n, a in zip(names, s.arguments)]
        for insn in s.stores:
            self.insn(insn)
        self.insn(s.call, '%scall (w), %s, (%s);' % (guard, f.name, ', '.join(names)))
        s.load = Insn('ld.param.b32 %%%s, [w];' % s.result, None, s.guard)
        self.insn(s.load)
        self.put('    }')

    # ---- executing it ----

    def run(self):
        self.base = 0x80000000
        n = self.block * self.grid
        self.memory = [0] * (COUNTERS + SLOTS * n)
        self.lanes, self.spent = [], 0
        self.warps = []
        self.accesses = {} # ('A', word) or ('tile', block, word) -> (lane, position in front of the access, is it a write, value)
        for cta in range(self.grid):
            shared = [0] * self.block
            warps = [Run(self, cta, first, shared) for first in range(0, self.block, LANES)]
            self.warps += warps
            going = [w.kernel() for w in warps]
            while going:
                going = [g for g in going if next(g, None)]
                if self.spent > 60000:
                    return False
            for w in warps:
                self.lanes += w.lanes
        return True


class Step:
    """What a thread is at before it executes a line: `regs` are those of its function, `calls` the lines it was called from (outermost
    first), `event` when its warp executes that (those of one warp can be compared), -1 before it has begun."""
    __slots__ = ('line', 'regs', 'calls', 'event', 'frame')

    def __init__(self, line, regs, calls, event, frame):
        self.line, self.regs, self.calls, self.event, self.frame = line, regs, calls, event, frame

    @property
    def depth(self):
        return len(self.calls)


class Run:
    """A warp."""
    def __init__(self, k, cta, first, shared):
        self.k, self.cta, self.first, self.shared = k, cta, first, shared
        self.base = k.base
        self.n = min(LANES, k.block - first)
        self.events, self.frames = 0, 0
        self.lanes = [[] for _ in range(self.n)]
        self.results = [0] * self.n

    def tid(self, i):
        return self.first + i

    def slot(self, i, k):
        return COUNTERS + SLOTS * (self.cta * self.k.block + self.tid(i)) + k

    def access(self, i, place, is_write, v):
        self.k.accesses.setdefault(place, []).append((self.cta * self.k.block + self.tid(i), len(self.lanes[i]) - 1, is_write, v))

    def store(self, i, k, v):
        self.access(i, ('A', self.slot(i, k)), True, v)
        self.k.memory[self.slot(i, k)] = v

    def load(self, i, k):
        v = self.k.memory[self.slot(i, k)]
        self.access(i, ('A', self.slot(i, k)), False, v)
        return v

    def count(self, c, v):
        self.k.memory[c] = self.k.memory[c] + v & MASK

    def share(self, i, v):
        self.access(i - self.first, ('tile', self.cta, i), True, v)
        self.shared[i] = v

    def frame(self, function, arguments=None):
        f = {name: [0] * self.n for name in function.registers + function.wide}
        for name, row in (arguments or {}).items():
            f['$' + name] = row
        self.frames += 1
        f['$id'], f['$function'] = self.frames, function
        return f

    def step(self, insn, f, mask, calls):
        names = f['$function'].registers + f['$function'].wide
        for i in mask:
            self.lanes[i].append(Step(insn.line, {n: f[n][i] for n in names}, calls, self.events, f['$id']))
        self.events += 1
        self.k.spent += 1 + len(mask) // 4

    def insn(self, insn, f, mask, calls):
        self.step(insn, f, mask, calls)
        if not insn.effect:
            return
        for i in mask:
            if not insn.guard or bool(f[insn.guard.lstrip('!')][i]) != (insn.guard[0] == '!'):
                insn.effect(self, f, i)

    def kernel(self):
        function = self.k.kernel
        f, mask = self.frame(function), list(range(self.n))
        for i in mask:
            self.lanes[i].append(Step(function.first, None, (), -1, 0))
        mask = yield from self.body(function.body, f, mask, ())
        if mask:
            self.step(function.ret, f, mask, ())
        for i in range(self.n):
            self.lanes[i].append(Step(function.last, None, (), self.events, 0))

    def body(self, body, f, mask, calls):
        """The lanes that are left behind it."""
        for s in body:
            if not mask:
                break
            if isinstance(s, Insn):
                self.insn(s, f, mask, calls)
            elif isinstance(s, Leave):
                self.step(s.insn, f, mask, calls)
                mask = [i for i in mask if not f[s.pred][i]]
            elif isinstance(s, Barrier):
                self.step(s.insn, f, mask, calls)
                yield True
            elif isinstance(s, If):
                yield from self.either(s, f, mask, calls)
            elif isinstance(s, Loop):
                yield from self.loop(s, f, mask, calls)
            else:
                yield from self.call(s, f, mask, calls)
        return mask

    def either(self, s, f, mask, calls):
        self.step(s.branch, f, mask, calls)
        then, other = [i for i in mask if f[s.pred][i]], [i for i in mask if not f[s.pred][i]]
        sides = [(then, s.then), (other, s.other)]
        sides.sort(key=lambda x: max(x[0], default=-1))
        for lanes, body in sides:
            if lanes:
                yield from self.body(body, f, lanes, calls)
                if body is s.then and s.other:
                    self.step(s.jump, f, lanes, calls)

    def loop(self, s, f, mask, calls):
        self.insn(s.begin, f, mask, calls)
        while mask:
            yield from self.body(s.head, f, mask, calls)
            if s.leave:
                self.step(s.branch_out, f, mask, calls)
                mask = [i for i in mask if not f[s.leave][i]]
                if not mask:
                    break
                yield from self.body(s.tail, f, mask, calls)
            self.insn(s.add, f, mask, calls)
            self.insn(s.test, f, mask, calls)
            self.step(s.branch, f, mask, calls)
            mask = [i for i in mask if f[s.pred][i]]

    def call(self, s, f, mask, calls):
        for insn in s.before:
            self.insn(insn, f, mask, calls)
        by_register = s.function.by_register
        for insn in [] if by_register else s.stores:
            self.insn(insn, f, mask, calls)
        inner = [i for i in mask if not s.guard or f[s.guard][i]]
        self.step(s.call, f, mask, calls)
        if inner:
            arguments = {x: list(f[a]) for x, a in zip(s.function.parameters, s.arguments)}
            g = self.frame(s.function, arguments)
            down = calls + (s.call.line,)
            left = yield from self.body(s.function.body, g, inner, down)
            if left:
                self.step(s.function.ret, g, left, down)
            results = list(self.results)
        if by_register:
            for i in inner:
                f[s.result][i] = results[i]
        else:
            self.step(s.load, f, mask, calls)
            for i in inner:
                f[s.result][i] = results[i]
