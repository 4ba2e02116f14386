"""width.py PROGRAM SPLIT.PTX SECONDS: what is printed on terminals of several widths."""
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time

PROGRAM, PTX, SECONDS = sys.argv[1], sys.argv[2], float(sys.argv[3])
START = ["buffer out u32[64]", "launch split<<<1, 64>>>(out)"]
PARTS = ["[focus: kernel 0 split, block (0,0,0), thread (0,0,0), uid 1", "core 0, warp 0, lane 0", "cycle 0]"]
LINE = " | ".join(PARTS)


def on_terminal(columns, commands, options=(), **env):
    pid, fd = pty.fork()
    if not pid:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 100, columns, 0, 0))
        environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
        environment.update({"TERM": "xterm", "HOME": os.getcwd(), **env})
        words = [PROGRAM, "-q", "-c", "tiny", *options, PTX]
        for c in START + commands + ["set confirm off", "quit"]:
            words += ["-ex", c]
        os.execvpe(PROGRAM, words, environment)
    got, end = b"", time.time() + SECONDS
    while time.time() < end and select.select([fd], [], [], end - time.time())[0]:
        try:
            some = os.read(fd, 65536)
        except OSError:
            break
        if not some:
            break
        got += some
    os.waitpid(pid, 0)
    os.close(fd)
    return got.decode().replace("\r\n", "\n")


def check(ok, what, seen):
    if not ok:
        print(what)
        print(seen)
        sys.exit(1)


def rows(text):
    plain = re.sub("\x1b\\[[0-9;]*m", "", text)
    return [line for line in plain.split("\n") if line.startswith(("wp", "Cycle "))]


def main():
    # the contract's one line where it fits, and where there is no terminal
    check(LINE in on_terminal(len(LINE), []), "not in one line", on_terminal(len(LINE), []))
    piped = subprocess.run([PROGRAM, "-q", "--batch", "-c", "tiny", PTX, "-ex", "set width 40"] + [w for c in START for w in ("-ex", c)],
                           stdout=subprocess.PIPE, check=True).stdout.decode()
    check(LINE in piped, "broken in a pipe", piped)
    for columns, want in ((len(LINE) - 1, PARTS[0] + " | " + PARTS[1] + "\n| " + PARTS[2]), (60, PARTS[0] + "\n| " + PARTS[1] + " | " + PARTS[2]),
                          (24, PARTS[0] + "\n| " + PARTS[1] + "\n| " + PARTS[2])):
        for options in ((), ("--batch",)):
            seen = on_terminal(columns, [], options)
            check(want + "\n" in seen, f"focus line on {columns} columns", seen)
    check(LINE in on_terminal(60, ["set width 200", "focus"]), "not in one line after set width", "")
    # diagrams have the terminal's width
    draw = ["continue", "diagram cycle 0..200", "diagram compact cycle 0..200"]
    for columns in (40, 80, 200):
        seen = on_terminal(columns, draw)
        widest = max(map(len, rows(seen)))
        check(columns - 12 < widest <= columns, f"{widest} wide on {columns} columns", seen)
    check(max(map(len, rows(on_terminal(200, ["set width 50"] + draw)))) <= 50, "set width", "")
    # colours of stages, only where they are wanted
    seen = on_terminal(80, draw)
    check("\x1b[32mAf"[:6] in seen and re.search("\x1b\\[33ms+\x1b\\[", seen), "no colours", seen)
    for seen in (on_terminal(80, draw, NO_COLOR="1"), on_terminal(80, draw, ("--batch",)), on_terminal(80, ["set color off"] + draw),
                 on_terminal(80, draw, TERM="dumb")):
        check("\x1b[3" not in seen, "colours", seen)


main()
