"""What gdb may show of a kernel whose threads' ways are known: positions, registers, and every hit of a breakpoint reported once.

A position is an index into the thread's way (kernel.Step). What gdb shows of a thread names the positions that look like it; mostly one.
"""

import kernel


class Wrong(Exception):
    """What gdb showed can't be."""


class Point:
    """A breakpoint. A thread's visits are owed from after `since`, and up to `maybe` they need not be reported: the machine may have been
    there already when the breakpoint was made."""
    def __init__(self, number, line, condition, lane, temporary):
        self.number, self.line, self.condition, self.lane, self.temporary = number, line, condition, lane, temporary
        self.enabled, self.once, self.reported, self.reported_events, self.count = True, False, {}, set(), 0
        self.since, self.maybe = {}, {}
        self.fresh = True # gdb hasn't put it in yet
        self.of_thread = lane is not None # gdb looks at it itself, as at all at a place where one of a thread is, or was: maybe for one lane of a warp only


class Watch:
    """A watchpoint on a register of a thread's kernel. It is reported where the thread is after each change."""
    def __init__(self, number, lane, name, at):
        self.number, self.lane, self.name, self.at = number, lane, name, at
        self.certain = True # its thread has moved only when everybody could: what is reported later is reported where the thread is then
        self.condition = None # on the value

    def changes(self, way):
        """Positions at which it is reported, and the values there."""
        value, out = way[self.at].regs[self.name], []
        for i in range(self.at + 1, len(way) - 1):
            if not way[i].calls and way[i].regs[self.name] != value:
                value = way[i].regs[self.name]
                if not self.condition or self.condition(value):
                    out.append((i, value))
        return out


class MemoryWatch:
    """A watchpoint on a word that only one thread writes. `kind` is gdb's word for it."""
    def __init__(self, number, kind, accesses, at):
        self.number, self.lane, self.name, self.at = number, accesses[0][0], 'memory', at
        self.certain, self.condition = True, None
        self.all, value = [], 0
        for _, i, is_write, v in accesses:
            if kind == 'awatch' or (is_write and kind == 'watch' and v != value) or (not is_write and kind == 'rwatch'):
                self.all.append((i + 1, v))
            value = v

    def changes(self, way):
        return [(i, v) for i, v in self.all if i > self.at and (not self.condition or self.condition(v))]


class Model:
    def __init__(self, kernel, mode):
        self.k, self.mode = kernel, mode
        n = len(kernel.lanes)
        self.low = [0] * n    # a thread was seen there
        self.high = [0] * n   # it can't be further; only where `clean`
        self.points = {}
        self.watches = {}
        self.passed = {}      # warp -> as many events lie behind it at least
        self.places = [{} for _ in range(n)]
        self.together = {}    # (warp, event) -> [(lane, index)]
        for lane, way in enumerate(kernel.lanes):
            for i, s in enumerate(way):
                self.places[lane].setdefault(s.line, []).append(i)
                if s.regs is not None:
                    self.together.setdefault((self.warp(lane), s.event), []).append((lane, i))
        self.written = {}     # lane -> (index from which on, value) of register z, written by gdb

    def warp(self, lane):
        return lane // self.k.block, lane % self.k.block // kernel.LANES

    def way(self, lane):
        return self.k.lanes[lane]

    def end(self, lane):
        return len(self.way(lane)) - 1

    # ---- what is shown ----

    def fits(self, lane, i, seen):
        s = self.way(lane)[i]
        if s.line != seen.line or s.calls != seen.calls:
            return False
        return s.regs is None or all(seen.regs.get(n, v) == v for n, v in self.registers(lane, i).items())

    def registers(self, lane, i):
        s = self.way(lane)[i]
        if lane not in self.written or s.calls or i < self.written[lane][0]:
            return s.regs
        return dict(s.regs, z=self.written[lane][1])

    def positions(self, lane, seen, low=None):
        low = self.low[lane] if low is None else low
        return [i for i in self.places[lane].get(seen.line, []) if i >= low and self.fits(lane, i, seen)]

    def find(self, lane, seen, what):
        """The thread is shown so; it can't have gone back, nor over what must be reported for it."""
        at = self.positions(lane, seen)
        if not at:
            back = self.positions(lane, seen, 0)
            raise Wrong('%s: thread %d is shown where it %s: %s' %
                        (what, lane + 1, 'has been before' if back else 'never is', self.explain(lane, seen)))
        owed = self.owed(lane)
        allowed = [i for i in at if i <= owed]
        if not allowed:
            raise Wrong('%s: thread %d is at %s, its hit at %d (line %d) was not reported' %
                        (what, lane + 1, at, owed, self.way(lane)[owed].line))
        self.see(lane, allowed[0])
        return allowed

    def see(self, lane, i):
        self.low[lane] = i
        if i:
            w = self.warp(lane)
            self.passed[w] = max(self.passed.get(w, 0), self.way(lane)[i - 1].event + 1)

    def level(self, lane, i):
        """All threads are for gdb where the machine has them: those of this one's warp have what it has executed last behind them, too."""
        event = self.way(lane)[i - 1].event if i else -1
        for other in range(len(self.k.lanes)):
            if self.warp(other) == self.warp(lane):
                first = next((j for j, s in enumerate(self.way(other)) if s.event > event), 0) if i else 0
                self.low[other] = max(self.low[other], first)

    def explain(self, lane, seen):
        text = 'line %s, called from %s, registers %s; it was at %d' % (seen.line, seen.calls, seen.regs, self.low[lane])
        same = [i for i in self.places[lane].get(seen.line, []) if self.way(lane)[i].calls == seen.calls]
        for i in [i for i in same if i >= self.low[lane]][:2]:
            s = self.way(lane)[i].regs or {}
            text += '; at %d it would have %s' % (i, {n: v for n, v in s.items() if seen.regs.get(n, v) != v})
        return text

    def is_behind(self, lane, i):
        """Its warp is known to have executed what the thread is shown in front of."""
        return max(self.way(lane)[i].event, 0) < self.passed.get(self.warp(lane), 0)

    # ---- hits ----

    def visits(self, point, lane):
        if point.lane is not None and point.lane != lane:
            return []
        return [i for i in self.places[lane].get(point.line, []) if self.holds(point, lane, i)]

    def holds(self, point, lane, i):
        s = self.way(lane)[i]
        return s.regs is not None and (point.condition is None or bool(point.condition(self.k, lane, self.registers(lane, i))))

    def done(self, point, lane, i):
        """Need this visit not be reported (any more)?"""
        if i <= point.since.get(lane, -1) or i <= point.reported.get(lane, -1):
            return True
        if self.mode == 'lane':
            return False
        return point.of_thread or self.event(lane, i) in point.reported_events

    def event(self, lane, i):
        return self.warp(lane), self.way(lane)[i].event

    def owed(self, lane):
        """The first position that the thread can't have left yet."""
        first = self.end(lane)
        for p in self.points.values():
            if p.enabled:
                for i in self.visits(p, lane):
                    if i >= first:
                        break
                    if not self.done(p, lane, i) and i > p.maybe.get(lane, -1):
                        first = i
        return min([first] + [self.next_change(w) for w in self.watches.values() if w.lane == lane and w.certain])

    def next_change(self, w):
        return next((i for i, _ in w.changes(self.way(w.lane))), self.end(w.lane))

    def changed(self, w, lane, at):
        """gdb says that the watched register has changed."""
        i = self.next_change(w) if w.certain else at[0]
        if lane != w.lane or i not in at:
            raise Wrong('thread %d at %s: hit watchpoint %d, on %s of thread %d, which changes next at %d' %
                        (lane + 1, at, w.number, w.name, w.lane + 1, i))
        w.at = i
        w.certain &= self.way(lane)[i].regs is not None and not self.way(lane)[i].calls
        return [i]

    def hit(self, number, lane, at):
        """gdb says that the thread, which may be at the positions `at`, has hit it. The positions that this leaves."""
        p = self.points.get(number)
        if not p:
            raise Wrong('thread %d: hit breakpoint %s, which there is not' % (lane + 1, number))
        if not p.enabled:
            raise Wrong('thread %d: hit breakpoint %s, which is disabled' % (lane + 1, number))
        visits = self.visits(p, lane)
        left = [i for i in at if i in visits]
        if not left:
            raise Wrong('thread %d: hit breakpoint %s at %s, where it (or its condition) is not: %s' % (lane + 1, number, at, visits))
        left = [i for i in left if i > p.reported.get(lane, -1)]
        if not left:
            raise Wrong('thread %d: hit breakpoint %s at %s, which was reported before' % (lane + 1, number, at))
        new = [i for i in left if not self.done(p, lane, i)]
        sure = next((i for i in new if i > p.maybe.get(lane, -1)), None) # those before it need not have been reported
        return [i for i in new if sure is None or i <= sure] or left

    def reported(self, number, lane, at):
        p, i = self.points[number], at[0]
        p.reported[lane] = i
        if len(at) > 1: # any of them has been
            p.maybe[lane] = max(p.maybe.get(lane, -1), at[-1])
        for q in self.points.values(): # a stop of the warp is one for all breakpoints there, whatever their conditions
            if q.line == p.line:
                q.reported_events.add(self.event(lane, i))
        p.count += 1
        if p.once:
            p.enabled = False
        if p.temporary:
            del self.points[number]

    def begin(self, p, clean):
        """A breakpoint is inserted; `clean`: all threads are for gdb where the machine has them."""
        p.fresh = True
        beside = [q for q in self.points.values() if q.line == p.line] + [p]
        for q in beside if any(q.lane is not None for q in beside) else []:
            q.of_thread = True
        for lane in range(len(self.k.lanes)):
            p.since[lane] = max(self.low[lane] - 1, p.reported.get(lane, -1))
            p.maybe[lane] = self.high[lane] if clean else self.end(lane)

    def settle(self):
        """All threads are for gdb where they are, and nothing is left to be reported before `low`: what comes after is certain."""
        for p in self.points.values():
            for lane in range(len(self.k.lanes)):
                p.maybe[lane] = min(p.maybe[lane], self.high[lane])

    def interrupted(self, lane, at):
        """gdb takes a thread that stands in front of a breakpoint over it when it goes on: at whichever of these positions that is."""
        for p in self.points.values():
            here = [i for i in at if i in self.visits(p, lane)]
            if here:
                p.since[lane] = max(p.since.get(lane, -1), at[0])
                p.maybe[lane] = max(p.maybe.get(lane, -1), here[-1])

    def put_in(self, lines):
        """gdb goes on, and first takes threads at these lines over breakpoints there. One that is new isn't in during that step, in which warps may have
        to move: others may pass it."""
        for p in self.points.values():
            if p.fresh and p.line in lines:
                p.maybe = {lane: self.end(lane) for lane in range(len(self.k.lanes))}
            p.fresh = False

    def told(self, lane, line):
        """The prompt has said that this thread's warp hit a breakpoint there: gdb isn't told that a second time."""
        i = next((i for i in self.places[lane].get(line, []) if i >= self.low[lane]), None)
        for p in self.points.values() if i is not None else []:
            for other, k in self.together.get(self.event(lane, i), []) if p.line == line else []:
                p.since[other] = max(p.since.get(other, -1), k)

    def forget(self):
        """The machine was run by somebody else: gdb doesn't hear of what was hit."""
        for p in self.points.values():
            p.maybe = {lane: self.end(lane) for lane in range(len(self.k.lanes))}
        for w in self.watches.values():
            w.certain = False

    def rewind(self):
        """gdb has gone back: everybody may be anywhere, and what has been reported can be reported again."""
        n = len(self.k.lanes)
        self.low, self.high, self.passed = [0] * n, [self.end(lane) for lane in range(n)], {}
        for p in self.points.values():
            p.since, p.reported, p.reported_events = {}, {}, set()
        self.forget()

    def back(self, numbers, lane, seen, what):
        """The thread is shown so after a step or a continue backwards: a state it has been in, at a breakpoint only where that is true."""
        self.rewind()
        at = self.positions(lane, seen, 0)
        if not at:
            raise Wrong('%s: thread %d is shown where it never is: %s' % (what, lane + 1, self.explain(lane, seen)))
        for n in [n for n in numbers if n in self.points]:
            at = [i for i in at if i in self.visits(self.points[n], lane)]
            if not at:
                raise Wrong('%s: thread %d: hit breakpoint %d where it (or its condition) is not' % (what, lane + 1, n))
            if self.points[n].once:
                self.points[n].enabled = False
            if self.points[n].temporary:
                del self.points[n]
        self.low[lane] = at[0]
        return at

    def last_hit(self, lane, i):
        """The event at which a lane of this one's warp last hit a breakpoint, as seen from position i of this one; -1: none did."""
        last = self.way(lane)[i - 1].event if i else -1
        return max((self.way(other)[j].event for p in self.points.values() if p.enabled and not (p.of_thread and self.mode == 'warp')
                    for other in range(len(self.k.lanes)) if self.warp(other) == self.warp(lane)
                    for j in self.visits(p, other) if self.way(other)[j].event <= last), default=-1)

    def check_all_reported(self):
        for lane in range(len(self.k.lanes)):
            if self.owed(lane) != self.end(lane):
                i = self.owed(lane)
                raise Wrong('the kernel has ended, and the hit of thread %d at %d (line %d) was not reported' %
                            (lane + 1, i, self.way(lane)[i].line))

    def pending(self, lane):
        """May the thread be shown at a hit from which its warp has gone on?"""
        return any(p.line == self.way(lane)[i].line for i in (self.low[lane], self.high[lane]) for p in self.points.values())

    # ---- steps ----

    def after_call(self, lane, i):
        """The position after the instruction, calls and all."""
        way = self.way(lane)
        j = i + 1
        while j < len(way) - 1 and way[j].depth > way[i].depth:
            j += 1
        return min(j, len(way) - 1)

    def steps(self, command, count, lane, i):
        for _ in range(count):
            if i < self.end(lane):
                i = i + 1 if command in ('stepi', 'step') else self.after_call(lane, i)
        return i

    def step_back(self, command, lane, i):
        """The position that a step back leads to: the first instruction is as far as it goes."""
        way, j = self.way(lane), i - 1
        if command == 'reverse-finish': # gdb goes to the function's first line, in whichever activation, and a step further
            first = next(s.line for s in way if s.frame == way[i].frame)
            j = next(k for k in range(i, -1, -1) if way[k].line == first) - 1
        while command.startswith('reverse-next') and j > 0 and way[j].depth > way[i].depth:
            j -= 1
        return max(j, 1)

    def caller(self, lane, i, up=0):
        """The position after the call of the frame `up` above the innermost one, or None in the kernel."""
        way = self.way(lane)
        for j in range(i + 1, len(way)):
            if way[j].depth < way[i].depth - up:
                return j
        return None

    def callers(self, lane, i):
        """The positions of the calls that have led there, innermost first."""
        way, depth, out = self.way(lane), self.way(lane)[i].depth, []
        for j in range(i - 1, -1, -1):
            if way[j].depth < depth:
                depth = way[j].depth
                out.append(j)
        return out

    def line_from(self, lane, i, line, same_frame, up=0):
        """Where `advance`, and `until` with `same_frame`, stop: at the line, or in the caller of the selected frame."""
        way, out = self.way(lane), self.caller(lane, i, up) if self.way(lane)[i].depth > up else None
        if up > self.way(lane)[i].depth: # of another position that looks the same
            return None
        frame = way[self.callers(lane, i)[up - 1] if up else i or 1].frame
        for j in range(i + 1, len(way)):
            if j == out:
                return j
            if way[j].line == line and (not same_frame or way[j].frame == frame):
                return j
        return None

    def until(self, lane, i):
        """`until`: as `next`, but not back."""
        way, begin = self.way(lane), self.way(lane)[i]
        while True:
            i = self.after_call(lane, i)
            if i == self.end(lane) or way[i].line > begin.line or way[i].depth < begin.depth:
                return i
