"""What a session's user types: at random, or from a file."""
import os, random, re


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
        return eval(self.compiled, {'LANE': tid % 32, 'UID': lane + 1, 'TID': tid, 'CTA': lane // k.block, 'regs': regs})


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
            return '$laneid %s %d' % (r.choice(['<', '==', '>']), r.randrange(min(n, 32)))
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

    def one(self):
        r = self.r
        lanes = len(self.s.k.lanes)
        table = [(14, 'continue'), (12, 'stepi'), (4, 'nexti'), (5, 'next'), (5, 'step'), (3, 'finish'), (3, 'until'), (3, 'ADVANCE'),
                 (3, 'STEPS'), (9, 'POINT'), (10, 'THREAD'), (6, 'LOCK'), (2, 'info threads'), (5, 'CHANGE'), (3, 'WRITE'), (6, 'WATCH')]
        if len(self.s.m.points) > 5:
            table.append((10, 'DELETE'))
        if self.s.locking == 'on':
            table.append((6, 'set scheduler-locking off'))
        what = r.choices([t for _, t in table], [w for w, _ in table])[0]
        if what == 'POINT':
            return self.point()
        if what == 'THREAD':
            near = self.s.at[0] // 32 * 32 + r.randrange(32) if self.s.at and r.random() < 0.7 else r.randrange(lanes)
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
        if what == 'WATCH':
            self.names += 1
            return '@%d = watch %s' % (self.names, r.choice(sorted(n for f, n in self.s.k.used if f == 'k' and re.fullmatch(r'[ac]\d', n))))
        if what == 'STEPS':
            return r.choice(['stepi', 'stepi', 'next', 'step', 'nexti']) + ' %d' % r.randint(2, 12)
        if what == 'ADVANCE':
            return r.choice(['until', 'advance']) + ' %d' % self.line()[1].line
        return what
