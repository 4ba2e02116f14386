# Run by gdb (test_c_variables.sh): goes through a program in random steps and compares at each stop what gdb says of every C variable with
# what the prompt says (`monitor`). gdb reads the same debug information with code of its own.
# In the environment SOURCE, its number of LINES, the KERNEL, SEED, and how many STOPS.
import gdb, os, random, re

random.seed(int(os.environ['SEED']))
stops, lines = int(os.environ['STOPS']), int(os.environ['LINES'])
source, kernel = os.environ['SOURCE'], os.environ['KERNEL']
differences = compared = 0

level = 0
def ours(command):
    if level: # gdb's reads of registers choose the thread anew
        gdb.execute('monitor frame %d' % level, to_string=True)
    return re.sub(r'^error: ', '', gdb.execute('monitor ' + command, to_string=True)).strip()

def theirs(command):
    try:
        return gdb.execute(command, to_string=True).strip()
    except gdb.error as e:
        return str(e)

# gdb has places of its own for shared and local memory, and numbers its history itself
def plain(s):
    s = re.sub(r'0x[23][0-9a-f]{15}', lambda m: '<%x>' % (int(m.group(), 16) & 0xffffff), s)
    s = re.sub(r'0x[12][0-9a-f]{6}\b', lambda m: '<%x>' % (int(m.group(), 16) & 0xffffff), s)
    return re.sub(r'^\$\d+ = ', '', s)

def compare(what, a, b):
    global differences, compared
    compared += 1
    if plain(a) != plain(b):
        differences += 1
        if differences < 12:
            print('%s: gdb: %s\n    here: %s' % (what, a, b))

def sorted_lines(s): return '\n'.join(sorted(s.split('\n')))

# Variables whose scope begins behind the place: only we list them.
def begun(s): return '\n'.join(l for l in s.split('\n') if not re.search(r' = <not begun: .*>$', l)) or 'No locals.'

def look():
    where = theirs('frame').split('\n')[0]
    names = set()
    if 'No symbol table info' in theirs('info args') or 'has finished' in ours('info args'):
        return # gdb finds a function by its line where nothing describes it
    for command in ('info locals', 'info args'):
        a, b = theirs(command), begun(ours(command))
        compare('%s in %s' % (command, where), sorted_lines(a), sorted_lines(b))
        names |= set(re.findall(r'^(\w+) = ', a, re.M))
    if 'this' in names: # its members by their names alone
        names |= set(re.findall(r' (\w+)(?:\[\d+\])?;', theirs('ptype *this')))
    for name in sorted(names):
        commands = ['print %s', 'print/x %s', 'whatis %s', 'ptype %s', 'print &%s', 'print sizeof(%s)', 'print %s + 1']
        if re.search(r'[*\]]$', theirs('whatis ' + name)):
            commands += ['print *%s', 'print %s[1]', 'whatis *%s', 'ptype %s[0]', 'print %s[0]@2', 'output/d %s']
        for command in commands:
            c = command % name
            if re.match('ptype|print/x|.*@', c) and 'PLAIN' in os.environ or name in ('local', 'shared'):
                continue # methods, tables of virtual functions; local[...] is memory by space here
            a = theirs(c)
            if c[:7] == 'print &' and '0x40' in a:
                continue # registers have addresses in gdb's view
            if re.search(r'Attempt to take|no member|not a structure|subscript|Argument to|Cannot access|not defined|register|optimized|'
                         r'Invalid|lval|operator', a):
                continue # what gdb refuses
            compare(c + ' in ' + where, a, ours(c))
        look_at_bases(name, where)

# Members by the class they are of, and as characters.
def look_at_bases(name, where):
    if theirs('whatis ' + name).endswith('*'):
        return # they may point nowhere yet
    for base in re.findall(r'public (\w+)', theirs('ptype ' + name)):
        for member in re.findall(r' (\w+);', theirs('ptype ' + base)):
            for command in ('print %s.%s::%s', 'whatis %s.%s::%s', 'print (char)%s.%s::%s', 'print &%s.%s::%s'):
                c = command % (name, base, member)
                a = theirs(c)
                if not re.match('No |There|A syntax|.*Invalid|.*ambiguous|.*0x40', a):
                    compare(c + ' in ' + where, a, ours(c))

gdb.execute('break ' + kernel)
gdb.execute('continue', to_string=True)
gdb.execute('delete')
for n in range(stops):
    kind = random.choice(['step', 'step', 'next', 'stepi', 'break', 'thread'])
    try:
        if kind == 'break':
            number = random.randint(1, lines)
            gdb.execute('tbreak %s:%d' % (source, number), to_string=True)
            gdb.execute('continue', to_string=True)
            gdb.execute('delete')
        elif kind == 'thread':
            random.choice(sorted(gdb.selected_inferior().threads(), key=lambda t: t.num)[:4]).switch()
        else:
            gdb.execute('%s %d' % (kind, random.randint(1, 4)), to_string=True)
    except gdb.error as e:
        print('stop %d: %s' % (n, e))
    try:
        frame = gdb.selected_frame()
    except gdb.error:
        break
    if frame.name() in (None, 'host'):
        break
    lane = re.match(r'block \S+ thread \S+', gdb.selected_thread().name)
    gdb.execute('monitor cuda ' + lane.group(), to_string=True) # gdb tells of its thread when it reads registers
    gdb.execute('monitor frame 0', to_string=True)
    gdb.execute('frame 0', to_string=True)
    level = 0
    look()
    if frame.older():
        gdb.execute('up', to_string=True)
        level = 1
        look()
print('%d compared, %d differences' % (compared, differences))
