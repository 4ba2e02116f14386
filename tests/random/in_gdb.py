"""Run by gdb: a random session with warpstep, checked against model.py. tests/random/run starts it, says what the environment holds."""
import os, random, re, sys, time, traceback
import gdb

sys.path.insert(0, os.environ['HERE'])
import kernel, model
from commands import Commands, Condition

HOST = 0x7fffffff
BEGIN = time.monotonic()


class Seen:
    """What gdb shows of the selected thread."""
    def __init__(self):
        frame = gdb.newest_frame()
        frame.select()
        self.line, self.calls, self.regs = frame.find_sal().line, (), self.locals()
        older = frame.older()
        while older:
            self.calls = (older.find_sal().line,) + self.calls
            older = older.older()

    @staticmethod
    def locals():
        """The selected frame's registers."""
        regs = {}
        for line in gdb.execute('info locals', to_string=True).split('\n'):
            name, _, text = line.partition(' = ')
            if re.fullmatch(r'-?\d+', text):
                regs[name] = int(text) & (1 << 64) - 1 if name.startswith('rd') else int(text) & 0xffffffff
            elif text in ('true', 'false'):
                regs[name] = int(text == 'true')
        return regs


class Session:
    def __init__(self):
        self.seed, self.mode, self.extra = os.environ['SEED'], os.environ['BREAK'], os.environ['EXTRA'].split()
        self.k = kernel.Kernel(os.environ['KERNEL'], self.mode != 'lane')
        self.performance = bool(os.environ['PERFORMANCE'])
        self.m = model.Model(self.k, self.mode)
        self.log = open(os.environ['LOG'], 'a')
        self.stop = None          # the last event
        self.locking = 'replay'
        self.clean = True         # every thread is for gdb where the machine has it
        self.over = False
        self.counts = {}          # gdb's of hits
        self.numbers = {}         # a breakpoint's name in commands -> gdb's number
        self.at = None            # (lane, positions) of the selected thread
        self.reported = 0         # the lane that the last stop was reported for
        self.have_hit = set()     # lanes that a breakpoint was reported for
        self.stale = set()          # lanes whose views may be stale
        self.catching_up = set()  # lanes stepped from there
        self.gone_warps = set()   # that have gone on from hits
        self.gone = set()         # (warp, event) of hits from which the warp has gone on
        self.ahead = set()        # lanes that gdb has kept where they were, and a step back of another one took their warps back
        self.undone = False       # a way back may have changed several things that are watched: they are reported one by one
        self.up = 0               # the selected frame
        self.watched = {}         # memory -> its watchpoint's number
        self.unaware = False        # `monitor` has moved the machine, and gdb doesn't know that its thread is at a breakpoint
        gdb.events.stop.connect(self.stopped)

    def stopped(self, event):
        self.stop, self.hit = event, []
        for b in event.breakpoints if isinstance(event, gdb.BreakpointEvent) else []: # those with false conditions, too
            n = b.hit_count - self.counts.get(b.number, 0)
            self.counts[b.number] = b.hit_count
            if n:
                self.hit.append(b.number)
            if n > 1:
                self.say('counted %d times: breakpoint %d' % (n, b.number))

    def say(self, text):
        self.log.write(text + '\n')
        self.log.flush()

    def gdb(self, command, tell=True):
        """What gdb prints, or its error."""
        self.error = None
        try:
            out = gdb.execute(command, to_string=True)
        except gdb.error as e:
            self.error = str(e)
            out = ''
        if tell or self.error:
            self.say('  | ' + (out + ('error: %s' % self.error if self.error else '')).strip().replace('\n', '\n  | '))
        return out

    def selected(self):
        """The selected thread's lane; -1 is the host."""
        t = gdb.selected_thread()
        if not t or not t.is_valid():
            raise model.Wrong('no thread is selected')
        tid = t.ptid[1] or t.ptid[2]
        return -1 if tid == HOST else tid - 1

    # ---- looking ----

    def look(self, what):
        """Where the selected thread is, which must be possible."""
        lane = self.selected()
        if lane < 0:
            self.at = None
            return
        seen = Seen()
        self.up = 0 # that selects the innermost frame, as `thread N` does
        at = self.m.find(lane, seen, what)
        self.say('  = thread %d at %s of %d, line %d' % (lane + 1, at, self.m.end(lane), seen.line))
        self.at = lane, at

    def survey(self):
        """`info threads`: lines of all threads, hence the positions they can have."""
        out = self.gdb('info threads', False)
        gone = set(range(len(self.k.lanes)))
        for line in out.split('\n'):
            found = re.match(r'[* ] \d+ +Thread (\d+) .*:(\d+)$', line)
            if not found:
                continue
            lane, number = int(found[1]) - 1, int(found[2])
            gone.discard(lane)
            owed = self.m.owed(lane)
            at = [i for i in self.m.places[lane].get(number, []) if self.m.low[lane] <= i]
            if not at:
                raise model.Wrong('info threads: thread %d is at line %d, it was at %d' % (lane + 1, number, self.m.low[lane]))
            if at[0] > owed:
                raise model.Wrong('info threads: thread %d is at %s, its hit at %d was not reported' % (lane + 1, at, owed))
            self.m.see(lane, at[0])
            self.m.high[lane] = max(i for i in at if i <= owed)
        for lane in gone: # with their block
            self.m.high[lane] = self.m.end(lane)

    def settle(self):
        """When nothing waits to be reported, all breakpoints' visits before where threads are are certain."""
        if self.clean and not self.stale and not self.gone_warps and not any(self.m.pending(lane) for lane in range(len(self.k.lanes))):
            self.m.settle()
            return True
        return False

    # ---- commands ----

    def do(self, command):
        self.say('> ' + command)
        name, _, rest = command.partition(' = ')
        if name.startswith('@'):
            return self.make_point(name, rest)
        words = command.split()
        if words[0] in ('delete', 'disable', 'enable'):
            return self.change_point(words)
        if words[0] == 'thread':
            self.gdb(command)
            return self.look('thread')
        if command.startswith('set scheduler-locking'):
            self.gdb(command)
            self.locking = words[2]
            return
        if command == 'info threads':
            self.survey()
            return self.settle()
        if words[0] == 'set':
            return self.write(words)
        if words[0] in ('up', 'down', 'frame'):
            return self.select_frame(command)
        if words[0] == 'monitor':
            return self.monitor(command)
        if words[0].startswith('reverse-'):
            return self.back(command, words)
        if words[0] == 'finish' and (not self.at or len(self.m.way(self.at[0])[self.at[1][0]].calls) <= self.up):
            return
        self.resume(command, words)
        self.up, self.unaware = 0, False

    def may_be_behind(self, lane, at):
        return lane in self.stale | self.catching_up or self.m.warp(lane) in self.gone_warps or self.m.is_behind(lane, at[0])

    def make_watch(self, name, command):
        kind, what, condition = re.fullmatch(r'(\w+) (?:-l )?(\S+)(?: if .* & (\d+))?', command).groups()
        lane, at = self.at or (0, [0])
        step = self.m.way(lane)[at[0]]
        if '[' in what:
            place = self.place(lane, what)
            if place not in self.k.accesses or what in self.watched or (what[0] == 't' and (not step.regs or step.calls)):
                return
            self.survey()
            certain = self.settle() and not self.stale
            w = model.MemoryWatch(0, kind, self.k.accesses[place], self.m.low[self.k.accesses[place][0][0]])
            w.certain = certain and self.m.next_change(w) > self.m.high[w.lane]
        else:
            # of a thread that stands in its kernel, and not behind where the machine has it
            if len(at) > 1 or not step.regs or step.calls or self.may_be_behind(lane, at):
                return
            w = model.Watch(0, lane, what, at[0])
        if condition:
            w.condition = lambda v: v & int(condition)
        found = re.search(r'atchpoint (\d+): ', self.gdb(command))
        if not found:
            raise model.Wrong('%s: %s' % (command, self.error))
        w.number = self.numbers[name] = int(found[1])
        self.m.watches[w.number] = w
        self.watched[what] = w.number

    def place(self, lane, what):
        name, word = re.fullmatch(r'(\w+)\[(\d+)\]', what).groups()
        return ('A', int(word)) if name == 'A' else ('tile', lane // self.k.block, int(word))

    def make_point(self, name, command):
        if 'watch' in command.split()[0]:
            return self.make_watch(name, command)
        kind, line, rest = re.fullmatch(r'(\w+) (\d+) ?(.*)', command).groups()
        thread = re.search(r'thread (\d+)', rest)
        condition = re.search(r'if (.*)', rest)
        self.survey()
        clean = self.settle()
        out = self.gdb(command)
        if self.error and thread and re.search('Unknown thread|No inferior|Invalid thread', self.error): # gdb sees it no more
            return
        found = re.search(r'reakpoint (\d+) at .*line (\d+)\.', out)
        if not found or int(found[2]) != int(line):
            raise model.Wrong('%s: %s' % (command, out or self.error))
        number = int(found[1])
        self.numbers[name] = number
        p = model.Point(number, int(line), Condition(condition[1]) if condition else None, int(thread[1]) - 1 if thread else None,
                        kind == 'tbreak')
        self.m.begin(p, clean)
        self.m.points[number] = p

    def change_point(self, words):
        number = self.numbers.get(words[-1])
        if number in self.m.watches and words[0] == 'delete':
            self.gdb('delete %d' % number)
            del self.m.watches[number]
            self.watched = {what: n for what, n in self.watched.items() if n != number}
        p = self.m.points.get(number)
        if not p:
            return
        if words[0] == 'enable':
            self.survey()
            clean = self.settle()
        self.gdb(' '.join(words[:-1] + [str(number)]))
        if words[0] == 'delete':
            del self.m.points[number]
        elif words[0] == 'disable':
            p.enabled = False
        else:
            if not p.enabled:
                self.m.begin(p, clean)
            p.enabled = True
            p.once |= 'once' in words # a plain `enable` leaves that

    def write(self, words):
        """`set var z = N`: a register that the program doesn't use."""
        lane, at = self.at or (0, [0])
        step = self.m.way(lane)[at[0]]
        if step.calls or step.line <= self.k.z.line:
            return
        value = int(words[-1])
        self.gdb(' '.join(words))
        if self.error:
            is_hit = self.gone_warps and self.at_point(lane, at) # of a warp that may have gone on, too: it is reported later
            if self.clean and not is_hit and not self.may_be_behind(lane, at) and 0 < at[0] < self.m.end(lane):
                raise model.Wrong('%s: %s' % (' '.join(words), self.error))
            return self.look('set var')
        if step.regs:
            self.m.written[lane] = at[0], value
        self.look('set var')

    def select_frame(self, command):
        """A caller has the registers it had when it called."""
        self.gdb(command)
        if self.error or not self.at:
            return
        lane, at = self.at
        self.up = gdb.selected_frame().level()
        if not self.up:
            return
        regs = Seen.locals()
        may = [self.m.registers(lane, self.m.callers(lane, i)[self.up - 1]) for i in at]
        if not any(all(regs.get(n, v) == v for n, v in m.items()) for m in may):
            raise model.Wrong('%s: thread %d at %s: frame %d has %s, not %s' % (command, lane + 1, at, self.up, regs, may[0]))

    def monitor(self, command):
        """The prompt moves the machine, as far as it likes, past all that gdb would stop at."""
        outs = [self.gdb('monitor ' + part) for part in command[8:].split('; ')]
        if len(outs) > 1:
            self.gdb('monitor delete')
        if command.startswith('monitor thread') or any('error: ' in out for out in outs):
            return # nothing has moved
        self.gdb('maintenance flush register-cache', False)
        self.gdb('maintenance flush dcache', False)
        if self.ahead: # they are where the machine has them
            self.m.rewind()
        self.ahead = set()
        self.m.forget()
        for tid, line in re.findall(r'^Breakpoint, thread uid (\d+) at k.ptx:(\d+)', '\n'.join(outs), re.M):
            self.m.told(int(tid) - 1, int(line))
        self.clean, self.stale, self.catching_up, self.gone_warps = True, set(), set(), set()
        out = self.gdb('info threads', False)
        if '(no kernel)' in out:
            self.over = True
            return
        t = gdb.selected_thread()
        if not t or not t.is_valid() or t.ptid[0] == 0:
            self.gdb('thread ' + re.search(r'^[* ] (\d+) ', out, re.M)[1])
        self.survey()
        self.settle()
        self.look('monitor')
        if self.at and len(self.at[1]) == 1:
            self.m.level(self.at[0], self.at[1][0])
        self.unaware = True

    def locked(self, words):
        return self.locking == 'on' or (self.locking == 'step' and words[0].replace('reverse-', '') in ('step', 'stepi', 'next', 'nexti'))

    def at_point(self, lane, at):
        return any(p.line == self.m.way(lane)[i].line for i in at for p in self.m.points.values())

    def found_by_step(self, lane, low, were_ahead):
        """Before everybody runs gdb takes each thread that was reported over its breakpoint. May the step of this one, which was at `low`, have led
        to another breakpoint? Then nobody else has run."""
        if lane in were_ahead & self.have_hit: # it leads to where the machine went back to, or on from there
            return True
        if lane < 0 or not self.at_point(lane, [low[lane]]):
            return False
        line = gdb.newest_frame().find_sal().line
        return bool(self.stale or self.catching_up or self.gone_warps) or line == self.m.way(lane)[min(low[lane] + 1, self.m.end(lane))].line

    def lets_others_run(self, before):
        """In performance mode that step, if it has to be made, is one of all warps."""
        return self.performance and before and before[0] != self.reported and self.at_point(self.reported, [self.m.low[self.reported]])

    def shares_its_stop(self, before):
        """With `break warp` what that step leads to, as where `finish` is to end, is reported for no other thread of the warp."""
        return self.mode == 'warp' and before and before[0] != self.reported and self.m.warp(before[0]) == self.m.warp(self.reported) and \
            self.at_point(self.reported, [self.m.low[self.reported]])

    def leaves_stale(self, words):
        """Whom a command leaves behind: a step over a breakpoint is made by one thread alone."""
        lane, at = self.at or (self.reported, [self.m.low[self.reported]])
        alone = self.locked(words) or self.at_point(lane, at) or self.at_point(self.reported, [self.m.low[self.reported]])
        if not alone or words[0] == 'continue' and not self.locked(words):
            return set()
        return set(range(len(self.k.lanes))) # other warps may run meanwhile

    def wanted(self, command, words, lane, i):
        """The position that a command leads to if nothing else stops it; None if that is another thread's."""
        m, count = self.m, int(words[1]) if len(words) > 1 else 1
        if words[0] in ('stepi', 'nexti', 'step', 'next'):
            return m.steps(words[0], count, lane, i)
        if words[0] == 'finish':
            return m.caller(lane, i, self.up)
        if words[0] in ('until', 'advance') and len(words) > 1:
            return m.line_from(lane, i, count, words[0] == 'until', self.up)
        if words[0] == 'until':
            return m.until(lane, i)
        return None

    def resume(self, command, words):
        before, self.stop = self.at, None
        locked, stale = self.locked(words), self.leaves_stale(words)
        low = list(self.m.low)
        self.m.put_in({self.m.way(lane)[i].line for lane, at in [before or (self.reported, []), (self.reported, [low[self.reported]])] for i in at})
        # gdb steps a thread by itself over a breakpoint that is none for it
        passes = any(p.lane is not None for p in self.m.points.values()) or (self.m.points and words[0] != 'continue' and words != ['stepi'])
        # so may those be that were reported, before another one is stepped
        passed_by = any(p.lane is not None for p in self.m.points.values()) or self.lets_others_run(before) or self.shares_its_stop(before)
        for w in self.m.watches.values():
            w.certain &= not stale and not self.stale and not passes
        comes_back = self.ahead and (not locked or (before and before[0] in self.ahead))
        were_ahead = self.ahead
        if comes_back: # a step over a breakpoint is made by one thread alone: the others still are
            self.ahead = self.ahead - {before[0] if before else self.reported} if stale else set()
            self.m.rewind()
        out = self.gdb(command)
        if self.error:
            raise model.Wrong('%s: %s' % (command, self.error))
        for n in re.findall(r'Thread-specific breakpoint (\d+) deleted', out): # its block is gone
            self.m.points.pop(int(n), None)
        lane = self.selected()
        was_behind = before and (self.may_be_behind(*before) or passed_by)
        # from one hit that its warp has left a thread comes to the next, also if that breakpoint is deleted
        catches_up = before[0] if was_behind and words[0] != 'continue' else None
        self.clean = words[0] == 'continue' and not locked
        if words[0] == 'continue' and self.found_by_step(lane, low, were_ahead):
            catches_up = lane if self.may_be_behind(lane, [low[lane]]) else None
            self.clean, stale, self.ahead = False, set(range(len(self.k.lanes))), were_ahead - {lane}
        self.catching_up = self.catching_up | {catches_up} if catches_up is not None else set()
        self.stale = stale - {lane}
        if 'does not run' in out: # nobody has caught up
            self.stale = set(range(len(self.k.lanes)))
        if lane < 0:
            self.at = None
            if '(no kernel)' in self.gdb('info threads', False):
                self.m.check_all_reported()
                self.over = True
            return
        if not self.stop:
            raise model.Wrong('%s: no stop' % command)
        if locked and before and lane != before[0]:
            raise model.Wrong('%s: thread %d stopped, and only %d runs' % (command, lane + 1, before[0] + 1))
        if comes_back: # to where the machine has it, which may be earlier
            if 'has gone on meanwhile' in out:
                self.gone_warps.add(self.m.warp(lane))
            self.shown_anywhere(command, lane)
            return
        self.check_stop(command, words, before, lane, self.hit, out, was_behind)

    def note_reported(self, lane):
        self.reported = lane
        if self.hit:
            self.have_hit.add(lane)

    def shown_anywhere(self, command, lane):
        """After a way back: where it has been, whenever that was."""
        at = self.m.back(self.hit, lane, Seen(), command)
        self.say('  = thread %d at %s of %d, hit %s' % (lane + 1, at, self.m.end(lane), self.hit))
        self.at = lane, at
        self.note_reported(lane)
        return at

    def back(self, command, words):
        before, self.stop, self.hit = self.at, None, []
        if words[0] == 'reverse-finish' and (not before or not self.m.way(before[0])[before[1][0]].calls or self.up):
            return
        others_stay = self.locked(words)
        was_behind, was_ahead = before and self.may_be_behind(*before), before and before[0] in self.ahead
        self.m.put_in(set())
        # a way back of all leads past no hit (of other warps nobody knows when that was)
        limit = None
        if words[0] == 'reverse-continue' and before and not others_stay and not was_behind and not was_ahead:
            limit = min(self.m.last_hit(before[0], i) for i in before[1])
        out = self.gdb(command)
        if self.error:
            raise model.Wrong('%s: %s' % (command, self.error))
        self.clean, self.up, self.unaware, self.undone = not others_stay, 0, False, True
        self.stale, self.catching_up, self.gone_warps, self.gone = set(), set(), set(), set()
        lane, self.at = self.selected(), None
        self.ahead = set(range(len(self.k.lanes))) - {lane} if others_stay else set()
        if lane < 0:
            return
        at = self.shown_anywhere(command, lane)
        if limit is not None and self.m.warp(lane) == self.m.warp(before[0]) and all(self.m.way(lane)[i].event < limit for i in at):
            raise model.Wrong('%s: thread %d is at %s, and its warp hit something later' % (command, lane + 1, at))
        is_step = words[0] != 'reverse-continue'
        is_watched = any(n in self.m.watches for n in self.hit)
        if before and lane == before[0] and not is_watched and at[0] > max(before[1]):
            raise model.Wrong('%s: thread %d is at %s, which is not back from %s' % (command, lane + 1, at, before[1]))
        if not is_step or not before or was_behind or self.hit:
            return
        if before[0] != lane:
            raise model.Wrong('%s: thread %d stopped, and thread %d was to step' % (command, lane + 1, before[0] + 1))
        wanted = {self.m.step_back(words[0], lane, i) for i in before[1]} | ({0} if min(before[1]) < 2 else set()) # 0: before its block was
        if was_ahead: # to where the machine has it
            wanted |= set(range(max(before[1])))
        if not wanted & set(at):
            raise model.Wrong('%s: thread %d is at %s, and should be at %s' % (command, lane + 1, at, sorted(wanted)))
        self.at = lane, [i for i in at if i in wanted]
        self.m.low[lane] = self.at[1][0]

    def check_stop(self, command, words, before, lane, numbers, out, after):
        m = self.m
        wanted = set()
        if before and before[0] == lane:
            wanted = {self.wanted(command, words, lane, i) for i in before[1]} - {None}
        seen = Seen()
        at = m.find(lane, seen, command)
        self.say('  = thread %d at %s of %d, line %d, hit %s, wanted %s' % (lane + 1, at, m.end(lane), seen.line, numbers, sorted(wanted)))
        self.note_reported(lane)
        if 'has gone on meanwhile' in out:
            self.gone_warps.add(m.warp(lane))
        for n in [n for n in numbers if n in m.watches]:
            try:
                at = m.changed(m.watches[n], lane, at)
            except model.Wrong:
                if not self.undone:
                    raise
        changed, numbers = [n for n in numbers if n in m.watches], [n for n in numbers if n not in m.watches]
        self.undone &= bool(changed or numbers or self.stale) # (hits come first, and of a step alone they wait)
        for n in re.findall(r'Watchpoint (\d+) deleted', out): # its thread has ended
            m.watches.pop(int(n), None)
        for n in numbers:
            at = m.hit(n, lane, at)
        if changed and not numbers:
            m.see(lane, at[0])
            self.at = lane, at
            return
        if numbers:
            event = m.event(lane, at[0])
            if 'has gone on meanwhile' in out or event in self.gone:
                self.gone.add(event)
            if event in self.gone:
                self.stale.add(lane)
            for n in numbers:
                m.reported(n, lane, at)
            m.see(lane, at[0])
            if not after:
                self.check_limit(command, words, before, lane, at)
            self.at = lane, at
            return
        if isinstance(self.stop, gdb.SignalEvent) and self.stop.stop_signal == 'SIGINT' and 'interrupt' in self.extra:
            m.see(lane, at[0])
            m.interrupted(lane, at)
            self.at = lane, at
            self.clean, self.stale = False, set(range(len(self.k.lanes)))
            return
        here = [i for i in at if i in wanted or (after and wanted and (i >= min(wanted) or self.is_two_calls_deeper(before, lane, i)))]
        if here:
            # or it has stayed, at a place that looks the same
            here = [i for i in at if i in here or (i in before[1] and self.is_at_another_ones(lane, i))]
            # a breakpoint there had to be reported
            m.see(lane, here[0])
            self.at = lane, here
            return
        self.at = lane, at
        self.unexplained(command, words, before, lane, at, out)

    def is_two_calls_deeper(self, before, lane, i):
        """One step of a thread whose warp has gone on may lead there: gdb sees only one call."""
        way = self.m.way(lane)
        return any(way[i].depth > way[j].depth + 1 and way[i].calls[:way[j].depth] == way[j].calls for j in before[1])

    def check_limit(self, command, words, before, lane, at):
        """A thread that has stopped on its way can't be further than it wanted to."""
        if not before or before[0] != lane:
            return
        limits = [self.wanted(command, words, lane, i) for i in before[1]]
        if None not in limits and at[0] > max(limits):
            raise model.Wrong('%s: thread %d is at %s, and should have stopped at %s' % (command, lane + 1, at, limits))

    def is_at_another_ones(self, lane, i):
        return any(p.line == self.m.way(lane)[i].line and p.lane not in (None, lane) for p in self.m.points.values())

    def is_barrier(self, lane, i):
        """A step ends in a barrier if the thread has arrived, and others have stopped before they came there."""
        return self.k.lines[self.m.way(lane)[i].line - 1].strip().startswith('bar.')

    def unexplained(self, command, words, before, lane, at, out):
        if 'does not run (any more)' in out or at[0] == self.m.end(lane):
            return
        if before and before[0] == lane and at[0] in before[1]:
            # a breakpoint of another thread stops this one where it is, on a processor, too
            line = self.m.way(lane)[at[0]].line
            if self.is_barrier(lane, at[0]):
                return
            if self.unaware and self.at_point(lane, at):
                return
            if self.is_at_another_ones(lane, at[0]):
                return
            if words[0] in ('until', 'advance') and words[1:] == [str(line)]:
                return
        if before and before[0] == lane and len(words) > 1 and words[0] in ('stepi', 'nexti', 'step', 'next'):
            # that counts as one of the steps
            fewer = {self.m.steps(words[0], n, lane, i) for n in range(1, int(words[1])) for i in before[1]}
            if at[0] in fewer and any(self.is_at_another_ones(lane, i) or self.is_barrier(lane, i) for i in range(before[1][0], at[0] + 1)):
                return
        raise model.Wrong('%s: thread %d stopped at %s for no reason (from %s)' % (command, lane + 1, at, before))

    # ---- the whole of it ----

    def finish(self):
        """Everything that is left is reported, and memory holds what it should."""
        for command in ['set scheduler-locking off'] + ['continue'] * 100000:
            if self.over:
                break
            if self.is_late():
                return self.say('time is up')
            self.do(command)
        got = gdb.selected_inferior().read_memory(self.k.base, 4 * len(self.k.memory)).tobytes()
        got = [int.from_bytes(got[i:i + 4], 'little') for i in range(0, len(got), 4)]
        bad = [i for i, v in enumerate(self.k.memory) if got[i] != v]
        if bad:
            raise model.Wrong('memory: %d words differ, the first is %d: %d, not %d' %
                              (len(bad), bad[0], got[bad[0]], self.k.memory[bad[0]]))

    def run(self):
        if self.mode != 'auto':
            self.gdb('monitor break ' + self.mode)
        self.gdb('monitor expose all')
        self.look('at first')
        for command in Commands(self):
            self.do(command)
            if self.over or self.is_late():
                break
        self.finish()

    @staticmethod
    def is_late():
        """Thousands of hits take longer than a session may, which is no hang: it ends before."""
        return time.monotonic() > BEGIN + 0.75 * int(os.environ['LIMIT'])


def main():
    s = Session()
    try:
        s.run()
        s.say('PASSED')
    except model.Wrong as e:
        s.say('WRONG: %s' % e)
    except Exception:
        s.say('ERROR: ' + traceback.format_exc())


main()
