"""Ctrl-Z at the prompt of warpstep: ctrl_z.py WARPSTEP. Prints what is wrong. It is ignored where no shell could continue the job, and stops the job under a
shell with job control."""
import os, sys, time

sys.dont_write_bytecode = True
from terminal import Terminal

warpstep = os.path.abspath(sys.argv[1])
options = ["-q", "-nx", "-ex", "set history-save off"]

# the leader of the session, and a command of a leader without job control
for words in ([warpstep] + options, ["sh", "-c", '"$@"; true', "sh", warpstep] + options):
    t = Terminal(words)
    ok = t.shows("(warpstep) ")
    t.keys("\x1a")
    t.keys("\x1a")
    t.keys("print 6*")
    t.keys("\x1a")
    t.keys("7\n")
    ok = ok and t.shows("$1 = 42")
    t.keys("\x03")
    t.keys("print 6*8\n")
    ok = ok and t.shows("$2 = 48")
    t.keys("quit\n")
    if not ok:
        os.kill(t.pid, 9)
    t.ends()

# under a shell the job stops, and fg continues it
environment = dict(os.environ, PS1="shell> ", LC_ALL="C")
os.environ.update(environment)
t = Terminal(["bash", "--norc", "--noprofile", "-i"])
ok = t.shows("shell> ")
t.keys(" ".join("'%s'" % w for w in [warpstep] + options) + "\n")
ok = ok and t.shows("(warpstep) ")
t.keys("\x1a")
ok = ok and t.shows("Stopped")
t.keys("fg\n")
time.sleep(0.5)
t.keys("print 6*7\n")
ok = ok and t.shows("$1 = 42")
t.keys("quit\n")
t.keys("exit\n")
if not ok:
    os.kill(t.pid, 9)
t.ends()
sys.exit(Terminal.wrong)
