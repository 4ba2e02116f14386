"""At a terminal: letters beyond ASCII arrive, and the Tab key completes paths, words with hyphens and names. typing.py WARPSTEP; prints what is wrong."""
import os, sys
from terminal import Terminal

os.environ.update(LC_ALL="C.UTF-8", TERM="dumb", HOME="/nonexistent")
t = Terminal([sys.argv[1], "-q", "-n", "-m", "functional", "tests/golden/source/lambdas.ptx"])
CASES = [
    ("echo größe €\\n\n", "\ngröße €"),
    ("echo ü€x\x7f\x7fé\\n\n", "\nüé"),  # a letter is deleted as a whole
    ("load examples/01\t\n", "load examples/01-saxpy/"),
    ("load %s/exa\t\n" % os.getcwd(), "/examples/"),
    ("source docs/m\t\n", "source docs/manual/"),
    ("reverse-co\t\n", "reverse-continue"),
    ("set check-s\t on\n", "set check-suppress"),
    ("set print el\t 7\n", "set print elements"),
    ("show print-elements\n", 'print-elements is "7"'),
    ("break lab::le\t\n", "break lab::less"),
    ("break lambdas.cu:23 if threadI\t.x == 1\n", "if threadIdx"),
    ('print "ö" + blockD\t.x\n', "blockDim"),
    ("print $n = 5\n", "$1 = 5"),
    ("print $n++\n", "$2 = 5"),
    ("\n", "$3 = 6"),  # an empty line prints again, as in gdb
    ("info simt-s\t\n", "info simt-stack"),
    ("help reverse-f\t\n", "help reverse-finish"),
]
for keys, shown in CASES:
    if not t.shows("(warpstep) "):
        break
    t.keys(keys)
    t.shows(shown)
t.keys("quit\n")
t.ends()
sys.exit(Terminal.wrong)
