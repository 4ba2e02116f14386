"""What a session's user types: at random, or from a file."""
import os, random, re

import kernel


class Condition:
    """A breakpoint's condition, as gdb and as Python read it."""
    def __init__(self, text):
        self.text = text
        python = re.sub(r'(\d)u\b', r'\1', text).replace('$laneid', 'LANE').replace('$uid', 'UID')
        python = python.replace('threadIdx.x', 'TID').replace('blockIdx.x', 'CTA').replace('&&', 'and').replace('||', 'or')
        python = re.sub(r'\b([a-z]+\d*)\b(?<!\band)(?<!\bor)', r"regs['\1']", python)
        self.compiled = compile(python, text, 'eval')

    def __call__(self, k, lane, regs):
        tid = lane % k.block
        return eval(self.compiled, {'LANE': tid % kernel.LANES, 'UID': lane + 1, 'TID': tid, 'CTA': lane // k.block, 'regs': regs})


class Commands:
    def __init__(self, session):
        self.s, self.n, self.names = session, 0, 0
        self.r = random.Random('commands %s' % session.seed)
        self.file = os.environ.get('SCRIPT')

    def __iter__(self):
        if self.file:
            yield from (line.rstrip('\n') for line in open(self.file))
            return
        for _ in range(int(os.environ['COMMANDS'])):
            yield self.one()

    def line(self):
        """A line that somebody comes to."""
        lane = self.r.randrange(len(self.s.k.lanes))
        way = self.s.k.lanes[lane]
        step = self.r.choice(way[1:-1])
        return lane, step

    def condition(self, lane, step):
        r = self.r
        kind = r.random()
        n = self.s.k.block
        if kind < 0.2:
            return '$laneid %s %d' % (r.choice(['<', '==', '>']), r.randrange(min(n, kernel.LANES)))
        if kind < 0.4:
            return 'threadIdx.x %s %d' % (r.choice(['<', '==', '>=']), r.randrange(n))
        if kind < 0.5:
            return '$uid == %d' % (lane + 1)
        function = self.s.k.where[step.line].name
        name = r.choice([x for x in step.regs if not x.startswith('rd') and (function, x) in self.s.k.used])
        if name[0] in 'pq':
            return '%s == %d' % (name, r.randrange(2))
        if kind < 0.8:
            return '%s == %du' % (name, step.regs[name])
        return '(%s & %d) == %d' % (name, 3, step.regs[name] & 3)

    def point(self):
        r = self.r
        lane, step = self.line()
        self.names += 1
        text = '@%d = %s %d' % (self.names, 'tbreak' if r.random() < 0.15 else 'break', step.line)
        if r.random() < 0.15:
            text += ' thread %d' % (lane + 1)
        if r.random() < 0.4:
            text += ' if ' + self.condition(lane, step)
        return text

    def a_point(self):
        return '@%d' % self.r.randint(max(1, self.names - 6), max(1, self.names))

    def goes_deep(self, lane, at):
        """`until` of gdb steps all from the function's beginning to the line: that is other activations, too, if the function calls itself.
        A thread that hasn't begun is behind the whole kernel."""
        way = self.s.k.lanes[lane]
        return at[0] == 0 or getattr(self.s.k.where.get(way[at[0]].line), 'is_recursive', False)

    def memory(self):
        """Watches what somebody is going to touch."""
        r, k = self.r, self.s.k
        self.names += 1
        block = (self.s.at[0] if self.s.at else 0) // k.block
        places = sorted(p for p in k.accesses if p[0] == 'A' or p[1] == block)
        if not places or r.random() < 0.1:
            return '@%d = watch %s if %s & %d' % ((self.names,) + (r.choice(['a1', 'a2']),) * 2 + (r.choice([1, 2, 4]),))
        place = r.choice(places)
        kind = r.choice(['watch', 'watch', 'rwatch', 'awatch'] if place[0] == 'A' else ['watch'])
        return '@%d = %s %s%s[%d]' % (self.names, kind, '-l ' if place[0] == 'tile' or r.random() < 0.5 else '', place[0], place[-1])

    def monitor(self):
        """A command of the prompt that runs the machine, or moves the focus."""
        r = self.r
        line = self.line()[1].line
        kind = r.choice(['stepi', 'stepi', 'stepi %d' % r.randint(2, 20), 'nexti', 'next', 'step %d' % r.randint(1, 30), 'step-line',
                         'finish', 'advance %d' % line, 'until %d' % line, 'until', 'run-to-barrier', 'CONTINUE', 'CONTINUE', 'FOCUS', 'FOCUS'])
        if kind == 'CONTINUE':
            return 'tbreak %d; continue' % line if r.random() < 0.9 else 'continue'
        if kind == 'FOCUS':
            return 'thread %d' % (r.randrange(len(self.s.k.lanes)) + 1)
        return kind

    def one(self):
        r = self.r
        lanes = len(self.s.k.lanes)
        table = [(14, 'continue'), (12, 'stepi'), (4, 'nexti'), (5, 'next'), (5, 'step'), (3, 'finish'), (3, 'until'), (3, 'ADVANCE'),
                 (3, 'STEPS'), (9, 'POINT'), (10, 'THREAD'), (6, 'LOCK'), (2, 'info threads'), (5, 'CHANGE'), (3, 'WRITE'), (6, 'WATCH')]
        if len(self.s.m.points) > 5:
            table.append((10, 'DELETE'))
        if self.s.locking == 'on':
            table.append((6, 'set scheduler-locking off'))
        extra = self.s.extra
        if 'memory' in extra:
            table.append((10, 'MEMORY'))
        if 'monitor' in extra:
            table.append((12, 'MONITOR'))
        if 'reverse' in extra:
            table = [(w, t) for w, t in table if t != 'WRITE'] # what was written is gone when gdb goes back over it
            table.append((30, 'REVERSE'))
        if 'frames' in extra and self.s.at and self.s.m.way(self.s.at[0])[self.s.at[1][0]].calls:
            table.append((9, 'UP'))
        what = r.choices([t for _, t in table], [w for w, _ in table])[0]
        if what == 'MONITOR':
            return 'monitor ' + self.monitor()
        if what == 'REVERSE':
            return 'reverse-' + r.choice(['stepi', 'stepi', 'stepi', 'nexti', 'next', 'step', 'finish', 'continue', 'continue'])
        if what == 'UP':
            return r.choice(['up', 'up', 'up 2', 'down', 'frame 1'])
        if what == 'POINT':
            return self.point()
        if what == 'THREAD':
            near = self.s.at[0] // kernel.LANES * kernel.LANES + r.randrange(kernel.LANES) if self.s.at and r.random() < 0.7 else r.randrange(lanes)
            return 'thread %d' % (min(near, lanes - 1) + 1)
        if what == 'LOCK':
            return 'set scheduler-locking ' + r.choice(['on', 'off', 'step'])
        if what == 'CHANGE':
            return r.choice(['disable', 'enable', 'enable once', 'delete', 'disable', 'enable']) + ' ' + self.a_point()
        if what == 'DELETE':
            return 'delete ' + self.a_point()
        if what == 'WRITE':
            return 'set var z = %d' % r.randrange(1 << 32)
        if what == 'until' and self.s.at and self.goes_deep(*self.s.at):
            return 'next'
        if what == 'MEMORY':
            return self.memory()
        if what == 'WATCH':
            self.names += 1
            return '@%d = watch %s' % (self.names, r.choice(sorted(n for f, n in self.s.k.used if f == 'k' and re.fullmatch(r'[ac]\d', n))))
        if what == 'STEPS':
            return r.choice(['stepi', 'stepi', 'next', 'step', 'nexti']) + ' %d' % r.randint(2, 12)
        if what == 'ADVANCE':
            return r.choice(['until', 'advance']) + ' %d' % self.line()[1].line
        return what
