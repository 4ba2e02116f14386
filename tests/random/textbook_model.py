"""The textbook core, written from its specification: which warp instruction issues where in which cycle.

Reads a subset of PTX, executes integers exactly (floats are unknown values: no branch and no address may depend on one) and times every warp
instruction. Nothing here is taken from warpstep.
"""

from textbook_ptx import ALL, Module, Unsupported
from textbook_values import LANES, Frame, Values


class Options:
    """What the options say. units and latency by kind; memory: latency of shared and global."""
    def __init__(self, **given):
        self.schedulers, self.width, self.pairs, self.policy = 1, 1, "any", "rr"
        self.units = {"FP32": 32, "INT32": 0, "FP64": 32, "SFU": 32, "LS": 32}
        self.latency = {"FP32": 24, "INT32": 24, "FP64": 24, "SFU": 24, "CONTROL": 24}
        self.memory = {"shared": 24, "global": 400}
        self.cores, self.per_cluster, self.warps, self.blocks, self.shared_bytes = 1, 1, 48, 8, 49152
        self.granule, self.reserved = 1, 0 # of shared memory: a block takes multiples of it, and so many bytes besides
        self.machine = None # the name of the configuration that all these come from
        for name, value in given.items():
            assert hasattr(self, name)
            setattr(self, name, value)

    def shared(self, size):
        """What a block takes of the shared memory."""
        return -(-(size + self.reserved) // self.granule) * self.granule

    def one_kind(self, kind):
        """Kinds as units see them: control takes INT32 units, and INT32 those of FP32 if it has none."""
        kind = "INT32" if kind == "CONTROL" else kind
        return "FP32" if kind == "INT32" and self.units["INT32"] == 0 else kind

    def dispatch(self, kind):
        return max(1, -(-LANES * self.schedulers // self.units[self.one_kind(kind)]))

    def result(self, i):
        return self.latency[i.kind] if i.latency == "kind" else self.memory[i.latency]

    def last(self, i):
        """The latency that counts for an instruction at the end of a path."""
        return self.latency["CONTROL"] if i.is_control() or i.op in ("st", "prefetch", "prefetchu") else self.result(i)

    def shares(self):
        return (self.units["FP32"], self.schedulers) in ((192, 4), (48, 2))


class Entry:
    """A path: lanes at one place, and where it ends (None: nowhere)."""
    def __init__(self, pc, mask, ends, frame):
        self.pc, self.mask, self.ends, self.frame = pc, mask, ends, frame
        self.barrier = None # lanes that wait there for others of the warp


class Block:
    def __init__(self, number, launch):
        self.number, self.shared, self.warps, self.threads = number, {}, [], launch["threads"]
        self.grid, self.block = launch["grid"], launch["block"]


class Warp:
    def __init__(self, block, index, slot, function):
        self.block, self.index, self.slot = block, index, slot
        lanes = min(LANES, block.threads - LANES * index)
        self.stack = [Entry(function.first, (1 << lanes) - 1, None, Frame(function))]
        self.wait = self.count = 0
        self.barrier, self.local = None, {}

    def special(self, name):
        """The row of a special register, None if the model doesn't know it."""
        b = self.block
        numbers = [self.index * LANES + k for k in range(LANES)]
        if name in ("%tid.x", "%tid.y"):
            return [n % b.block[0] if name[-1] == "x" else n // b.block[0] for n in numbers]
        if name == "%laneid":
            return list(range(LANES))
        values = {"%ctaid.x": b.number % b.grid[0], "%ctaid.y": b.number // b.grid[0], "%ntid.x": b.block[0], "%ntid.y": b.block[1], "%nctaid.x": b.grid[0], "%nctaid.y": b.grid[1]}
        return [values[name]] * LANES if name in values else None

    def is_done(self):
        return not self.stack


class Scheduler:
    def __init__(self, number, core):
        self.number, self.core, self.free, self.last = number, core, 0, None


class Core:
    def __init__(self, number, options):
        self.number, self.slots, self.blocks = number, [None] * options.warps, []
        self.schedulers = [Scheduler(k, self) for k in range(options.schedulers)]
        self.shared_until = [0] * (options.schedulers // 2 + 1)


class Machine:
    def __init__(self, module, options, launch, memory, arguments):
        self.module, self.options, self.launch = module, options, launch
        self.function = module.functions[launch["kernel"]]
        self.values = Values(module, dict(memory), arguments)
        self.values.memory.update(module.words)
        self.cores = [Core(k, options) for k in range(options.cores)]
        self.next_block, self.last_core, self.rows, self.cycles = 0, options.cores - 1, [], 0
        self.is_room_made = False

    def place(self, wait):
        """Places the blocks for which there is room."""
        o, n = self.options, -(-self.launch["threads"] // LANES)
        while self.next_block < self.launch["blocks"]:
            for k in range(1, o.cores + 1):
                core = self.cores[(self.last_core + k) % o.cores]
                free = [s for s in range(o.warps) if core.slots[s] is None]
                shared = o.shared(self.module.shared_bytes + self.launch["shared"]) * (len(core.blocks) + 1)
                if len(free) >= n and len(core.blocks) < o.blocks and shared <= o.shared_bytes:
                    break
            else:
                return
            self.last_core = core.number
            block = Block(self.next_block, self.launch)
            self.next_block += 1
            core.blocks.append(block)
            for index, slot in enumerate(free[:n]):
                w = core.slots[slot] = Warp(block, index, slot, self.function)
                w.wait, w.core = wait, core
                block.warps.append(w)

    def run(self, limit=30000):
        self.place(0)
        t = 0
        while any(core.blocks for core in self.cores):
            self.is_room_made = False
            for core in self.cores:
                for s in core.schedulers:
                    if s.free <= t:
                        self.choose(s, t)
            if self.is_room_made:
                self.place(t + 1)
            t = self.next_cycle(t)
            if len(self.rows) > limit:
                raise Unsupported("more than %d instructions" % limit)
        return self.rows, self.cycles

    def next_cycle(self, t):
        """The next cycle in which a warp may issue."""
        best = None
        for core in self.cores:
            for w in core.slots:
                if w is None or w.is_done() or w.barrier is not None:
                    continue
                at = max(w.wait, core.schedulers[w.slot % self.options.schedulers].free, self.ready(w, self.module.code[w.stack[-1].pc]), t + 1)
                best = at if best is None else min(best, at)
        if best is None and any(core.blocks for core in self.cores):
            raise Unsupported("deadlock")
        return t + 1 if best is None else best

    def ready(self, w, i):
        ready = w.stack[-1].frame.ready
        return max([ready.get(r, 0) for r in i.reads | i.writes], default=0)

    def order(self, s):
        o = self.options
        slots = list(range(s.number, o.warps, o.schedulers))
        if o.policy == "rr" and s.last is not None:
            k = slots.index(s.last) + 1
            slots = slots[k:] + slots[:k]
        warps = [s.core.slots[k] for k in slots if s.core.slots[k] is not None]
        if o.policy == "ahead":
            warps.sort(key=lambda w: (-w.count, w.slot))
        elif o.policy == "behind":
            warps.sort(key=lambda w: (w.count, w.slot))
        return warps

    def choose(self, s, t):
        for w in self.order(s):
            if w.is_done() or w.barrier is not None or w.wait > t:
                continue
            i = self.module.code[w.stack[-1].pc]
            if self.ready(w, i) <= t:
                s.last = w.slot
                self.issue(s, w, i, t)
                return

    def issue(self, s, w, i, t):
        e = w.stack[-1]
        j = self.second(s, w, e, i, t)
        longest = max(self.options.dispatch(k.kind) for k in (i, j) if k)
        s.free = t + longest
        for k in (i, j):
            if k:
                self.one(s, w, k, t, s.free)

    def second(self, s, w, e, i, t):
        """The instruction that is issued together with i, or None."""
        o = self.options
        if o.width < 2 or i.is_control() or i.pc + 1 == e.ends:
            return None
        j = self.module.code[i.pc + 1]
        if j.is_control() or self.ready(w, j) > t or (j.reads | j.writes) & i.writes or j.writes & i.reads:
            return None
        a, b = o.one_kind(i.kind), o.one_kind(j.kind)
        if o.pairs == "any":
            return j if a != b or o.units[a] // o.schedulers >= 64 else None
        if o.pairs == "int32":
            return j if (i.kind == "INT32") != (j.kind == "INT32") else None
        if a != "FP32" or b != "FP32":
            return None
        if o.units["FP32"] // o.schedulers >= 64:
            return j
        m = s.number // 2
        if o.shares() and s.core.shared_until[m] <= t:
            s.core.shared_until[m] = t + o.dispatch("FP32")
            return j
        return None

    def one(self, s, w, i, t, free):
        """Issues an instruction of a warp: its row, its effect, and where the warp goes on."""
        o, e = self.options, w.stack[-1]
        done = t + o.result(i) if i.writes else None
        self.rows.append({"core": s.core.number, "warp": w.slot, "scheduler": s.number, "pc": 8 * i.pc, "text": i.text, "lanes": e.mask,
                          "issue": t, "dispatched": free, "ready": done})
        self.cycles = max(self.cycles, t + o.dispatch(i.kind), done or 0)
        w.count += 1
        f = e.frame
        for r in i.writes:
            f.ready[r] = done
        self.values.run(w, f, i, e.mask)
        if i.op in ("bra", "brx"):
            self.branch(w, e, i, t)
        elif i.op in ("exit", "ret"):
            self.leave(w, e, i, t)
        elif i.op == "call":
            self.call(w, e, i, t)
        else:
            e.pc += 1
            if i.op in ("bar", "barrier") and i.parts[1] in ("sync", "red", "cta"):
                self.arrive(w, e, i, t)
            self.end_path(w, t + o.last(i))

    @staticmethod
    def end_path(w, wait):
        """Takes paths that have come to their end off the stack."""
        while w.stack and w.stack[-1].ends is not None and w.stack[-1].pc == w.stack[-1].ends:
            w.stack.pop()
            w.wait = max(w.wait, wait)

    def taken(self, w, e, i):
        lanes = self.values.guard(e.frame, i, e.mask)
        if lanes is None or i.guard and any(e.frame.row(i.guard)[k] is None for k in range(LANES) if e.mask >> k & 1):
            raise Unsupported("unknown branch: " + i.text)
        return lanes

    def branch(self, w, e, i, t):
        wait = t + self.options.latency["CONTROL"]
        w.wait = wait
        taken, groups = self.taken(w, e, i), {i.pc + 1: 0}
        groups[i.pc + 1] = e.mask & ~taken
        index = self.values.operand(w, e.frame, i.operands[0]) if i.op == "brx" else [0] * LANES
        for k in range(LANES):
            if taken >> k & 1:
                groups[i.targets[index[k]]] = groups.get(i.targets[index[k]], 0) | 1 << k
        groups = sorted(((pc, mask) for pc, mask in groups.items() if mask), key=lambda g: -g[1])
        if len(groups) == 1:
            e.pc = groups[0][0]
            self.end_path(w, wait)
            return
        if i.meets is not None and i.meets != e.ends:
            e.pc, meets = i.meets, i.meets
        else:
            w.stack.pop()
            meets = e.ends
        for pc, mask in groups:
            if pc != meets:
                w.stack.append(Entry(pc, mask, meets, e.frame))

    def call(self, w, e, i, t):
        lanes = self.taken(w, e, i)
        w.wait = t + self.options.latency["CONTROL"]
        e.pc += 1
        if not lanes:
            self.end_path(w, w.wait)
            return
        results, name, arguments = i.call
        callee = self.module.functions[name]
        frame = Frame(callee)
        frame.caller, frame.call = e.frame, (results, e)
        for formal, actual in zip(callee.params, arguments):
            for (n, offset), row in list(e.frame.params.items()):
                if n == actual:
                    frame.params[formal, offset] = row
        w.stack.append(Entry(callee.first, lanes, None, frame))

    def leave(self, w, e, i, t):
        """exit, and ret: lanes leave the kernel, or the activation."""
        lanes, f = self.taken(w, e, i), e.frame
        returns = i.op == "ret" and f.caller is not None
        e.pc += 1
        for x in w.stack:
            if not returns or x.frame is f:
                x.mask &= ~lanes
        w.stack = [x for x in w.stack if x.mask]
        if returns or i.op == "ret" and e.mask:
            w.wait = t + self.options.latency["CONTROL"]
        if returns:
            results, _ = f.call
            for formal, actual in zip(f.function.results, results):
                for (n, offset), row in f.params.items():
                    if n == formal:
                        old = f.caller.params.get((actual, offset))
                        f.caller.params[actual, offset] = row if lanes == ALL or not old or row is None else [row[k] if lanes >> k & 1 else old[k] for k in range(LANES)]
            if w.stack and w.stack[-1].frame is f.caller:
                self.end_path(w, t + self.options.latency["CONTROL"])
        if w.stack and w.stack[-1] is e and e.ends == e.pc:
            self.end_path(w, t + self.options.latency["CONTROL"])
        if w.is_done():
            self.ended(w, t)
        self.come(w, t)

    def ended(self, w, t):
        """A warp's last lanes have exited at t."""
        for other in w.block.warps:
            if other.barrier is not None:
                self.open(w.block, other.barrier, t)
        if all(x.is_done() for x in w.block.warps):
            core = w.core
            for x in w.block.warps:
                core.slots[x.slot] = None
            core.blocks.remove(w.block)
            self.is_room_made = True

    def arrive(self, w, e, i, t):
        e.barrier = i.operands[1 if "red" in i.parts else 0]
        if any(x.mask & ~e.mask and not self.leaves(x) for x in w.stack): # other lanes of the warp go on first
            if any(x is not e and x.ends is not None and x.mask & ~e.mask for x in w.stack):
                raise Unsupported("a barrier that some lanes reach")
            w.stack.remove(e)
            w.stack.insert(0, e)
        self.come(w, t)

    def leaves(self, x):
        """Nothing is left to the lanes of x but to exit."""
        i = self.module.code[x.pc]
        return i.op in ("exit", "ret") and not i.guard and x.frame.caller is None

    def come(self, w, t):
        """The warp has come to a barrier if the lanes that run next have."""
        if w.stack and w.stack[-1].barrier is not None:
            w.barrier, w.stack[-1].barrier = w.stack[-1].barrier, None
            self.open(w.block, w.barrier, t)

    @staticmethod
    def open(block, barrier, t):
        live = [x for x in block.warps if not x.is_done()]
        if all(x.barrier == barrier for x in live):
            for x in live:
                x.barrier, x.wait = None, t + 1


def simulate(text, options, launch, memory, arguments):
    """Rows and cycles of a launch: {"kernel", "grid" and "block" (x, y), "blocks" and "threads": their products, "shared": dynamic bytes}; memory: initial words by address; arguments: values by name."""
    return Machine(Module(text), options, launch, memory, arguments).run()
