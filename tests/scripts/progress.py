"""progress.py PROGRAM SECONDS: the line of progress, seen through pseudo-terminals."""
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

PROGRAM, SECONDS = sys.argv[1], float(sys.argv[2])
KERNEL = """.version 7.0
.target sm_20
.address_size 64
.visible .entry count(.param .u64 n)
{
	.reg .u64 %rd<3>;
	.reg .pred %p<2>;
	ld.param.u64 %rd1, [n];
	mov.u64 %rd2, 0;
again:
	add.u64 %rd2, %rd2, 1;
	setp.lt.u64 %p1, %rd2, %rd1;
	@%p1 bra again;
	ret;
}
"""
LINE = rb"\rcycle (\d+), (\d+) instructions, blocks (\d+) of 3, \d+ cycles/s\x1b\[K"
ERASE = b"\r\x1b[K"
LONG = "run count<<<3, 32>>>(100000000000)"


class Run:
    """The program with standard error on a terminal, or in a pipe; Ctrl-C ends its run."""

    def __init__(self, options, commands, term="xterm", tty=True, stdin=None):
        self.fd, slave = pty.openpty() if tty else os.pipe()
        env = dict(os.environ, TERM=term)

        def own_terminal():
            os.setsid()
            if tty:
                import fcntl
                import termios
                fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        args = [PROGRAM, "-q", *options, "count.ptx"]
        for c in commands:
            args += ["-ex", c]
        self.process = subprocess.Popen(args, stdin=stdin or subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=slave, env=env,
                                        preexec_fn=own_terminal)
        os.close(slave)
        self.err = b""

    def read(self, until, seconds):
        end = time.time() + seconds
        while not (until and re.search(until, self.err)) and time.time() < end:
            if select.select([self.fd], [], [], 0.1)[0]:
                try:
                    got = os.read(self.fd, 65536)
                except OSError:
                    return
                if not got:
                    return
                self.err += got

    def interrupt(self):
        self.process.send_signal(signal.SIGINT)
        out = self.process.communicate(timeout=SECONDS)[0]
        self.read(None, 0.3)
        return out


def check(ok, what, *seen):
    if not ok:
        print(what, *seen)
        sys.exit(1)


def redrawn(mode):
    r = Run(["--batch", "-m", mode], [LONG, "print 7"])
    r.read(LINE + rb".*" + LINE, SECONDS)
    out = r.interrupt()
    lines = re.findall(LINE, r.err)
    check(len(lines) >= 2, mode, "no two lines of progress:", r.err)
    check(int(lines[0][0]) < int(lines[1][0]) and int(lines[0][1]) < int(lines[1][1]), mode, "no progress:", lines[:2])
    check(b"\n" not in r.err and r.err.endswith(ERASE), mode, "not taken away:", r.err)
    check(b"\r" not in out and out.startswith(b"Interrupted\n") and b"$1 = 7\n" in out, mode, "output:", out)


def main():
    with open("count.ptx", "w", encoding="ascii") as f:
        f.write(KERNEL)
    silent = [("pipe", Run(["--batch", "-m", "functional"], [LONG], tty=False)),
              ("dumb terminal", Run(["--batch", "-m", "functional"], [LONG], term="dumb")),
              ("short run", Run(["--batch"], ["run count<<<3, 32>>>(10)"])),
              ("prompt", Run(["-m", "functional"], [LONG]))]
    began = time.time()
    redrawn("functional")
    redrawn("performance")
    time.sleep(max(0, began + 3 - time.time()))
    for name, r in silent:
        r.interrupt()
        check(not r.err, name, "has something on standard error:", r.err)


main()
