"""The file of the command history: line_history.py WARPSTEP, in an empty folder that is HOME. Prints what is wrong."""
import os, resource, signal, sys

sys.dont_write_bytecode = True
from terminal import Terminal

warpstep = os.path.abspath(sys.argv[1])
FILE = ".warpstep_history"


def session(*options, prepare=None):
    t = Terminal([warpstep, "-q", "-nx", *options], prepare)
    t.shows("(warpstep) ")
    return t


def types(t, line, answer):
    t.keys(line + "\n")
    t.shows(answer)


def has(lines, what):
    have = open(FILE).read().split("\n")[:-1]
    if have != lines:
        print("%s: the file has %s, not %s" % (what, have, lines))
        Terminal.wrong = 1


def leaves(t):
    t.keys("quit\n")
    t.ends()


# two sessions at a time
a = session()
b = session()
types(a, "print 10", "$1 = 10")
types(b, "print 20", "$1 = 20")
types(a, "print 11", "$2 = 11")
leaves(a)
leaves(b)
has(["print 10", "print 20", "print 11", "quit", "quit"], "two sessions")
if os.stat(FILE).st_mode & 0o777 != 0o600:
    print("mode %o" % os.stat(FILE).st_mode)
    Terminal.wrong = 1

# a window that is closed, and a signal
os.remove(FILE)
t = session()
types(t, "print 30", "$1 = 30")
os.close(t.fd)
os.waitpid(t.pid, 0)
has(["print 30"], "a closed window")
t = session()
types(t, "print 31", "$1 = 31")
os.kill(t.pid, signal.SIGTERM)
t.ends()
has(["print 30", "print 31"], "SIGTERM")

# a full disk: the old lines stay, and there is one note
t = session(prepare=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20)))
types(t, "print 32", "note: lines can't be kept in ")
types(t, "print 33", "$2 = 33")
leaves(t)
has(["print 30", "print 31"], "a full disk")
if t.screen.count(b"can't be kept") != 1:
    print("a full disk is told %d times" % t.screen.count(b"can't be kept"))
    Terminal.wrong = 1

# shorter at the end, and only then; 0: no end; off: nothing
t = session("-ex", "set history-size 2")
types(t, "print 34", "$1 = 34")
leaves(t)
has(["print 34", "quit"], "set history-size 2")
t = session("-ex", "set history size unlimited")
types(t, "print 35", "$1 = 35")
leaves(t)
has(["print 34", "quit", "print 35", "quit"], "set history size unlimited")
t = session("-ex", "set history-save off")
types(t, "print 36", "$1 = 36")
leaves(t)
has(["print 34", "quit", "print 35", "quit"], "set history-save off")

# a file as libedit writes it
open(FILE, "w").write("_HiStOrY_V2_\nprint\\0406\\134*7\nprint\\0406*7\n")
t = session()
t.keys("\x1b[A\n")
t.shows("$1 = 42")
types(t, "print 5", "$2 = 5")
leaves(t)
# (the line that was recalled is the last one still: it isn't kept twice)
has(["print 6\\*7", "print 6*7", "print 5", "quit"], "a file of libedit's")
sys.exit(Terminal.wrong)
