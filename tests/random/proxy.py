#!/usr/bin/env python3
"""Between gdb and warpstep: proxy.py SEED WHAT COMMAND... passes bytes on in pieces (WHAT has `split`), and stops the machine now and
then (`interrupt`), as Ctrl-C does: while it runs, and sometimes too late."""
import os, random, select, subprocess, sys, time


class Way:
    """Bytes from one descriptor to another."""
    def __init__(self, r, from_fd, to_fd, split):
        self.r, self.from_fd, self.to_fd, self.split = r, from_fd, to_fd, split

    def put(self, data):
        while data:
            n = self.r.randint(1, min(len(data), 40)) if self.split and self.r.random() < 0.5 else len(data)
            if n < len(data) and self.r.random() < 0.2:
                time.sleep(self.r.choice([0, 0.0003, 0.003]))
            data = data[os.write(self.to_fd, data[:n]):]

    def take(self):
        return os.read(self.from_fd, 65536)


def main():
    seed, what, command = sys.argv[1], sys.argv[2], sys.argv[3:]
    r = random.Random('proxy %s' % seed)
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    to = Way(r, 0, server.stdin.fileno(), 'split' in what)
    back = Way(r, server.stdout.fileno(), 1, 'split' in what)
    when = None # a 0x03 is sent
    while True:
        wait = None if when is None else max(0, when - time.monotonic())
        ready = select.select([to.from_fd, back.from_fd], [], [], wait)[0]
        if when is not None and time.monotonic() >= when:
            to.put(b'\x03')
            when = None
        if to.from_fd in ready:
            data = to.take()
            if not data:
                break
            to.put(data)
            if 'interrupt' in what and b'$vCont;' in data and r.random() < 0.15:
                when = time.monotonic() + r.choice([0, 0.0002, 0.001, 0.004, 0.02]) * r.random()
        if back.from_fd in ready:
            data = back.take()
            if not data:
                break
            back.put(data)
            if r.random() < 0.9:
                when = None
    server.stdin.close()
    server.wait()


main()
