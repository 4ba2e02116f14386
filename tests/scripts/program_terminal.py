"""At a terminal: who has it while a program is debugged, and what goes on when it is killed. program_terminal.py WARPSTEP TERMINAL FAMILY FILE; prints
what is wrong."""
import os, pty, re, select, sys, termios, time


def start(program):
    global screen, here, pid, fd
    screen = b""
    here = 0
    pid, fd = pty.fork()
    if not pid:
        os.execv(sys.argv[1], [sys.argv[1], "-q", "-nx", "-m", "functional", "-ex", "set history-save off", "--args"] + program)


def ends():
    while True:
        try:
            if not os.read(fd, 4096):
                break
        except OSError:
            break
    _, status = os.waitpid(pid, 0)
    if status:
        print("status", status)
        sys.exit(1)


def shows(pattern):
    """Waits for it behind what was waited for before."""
    global screen, here
    end = time.time() + 60
    while time.time() < end:
        found = re.search(pattern.encode(), screen[here:])
        if found:
            here += found.end()
            return
        if select.select([fd], [], [], 1)[0]:
            try:
                screen += os.read(fd, 4096)
            except OSError:
                break
    print("no '%s' in: %s" % (pattern, screen[here:].decode(errors="replace")))
    os.kill(pid, 9)
    sys.exit(1)


def keys(text):
    time.sleep(0.2)  # what comes while the terminal's modes change is lost
    os.write(fd, text.encode())


start([sys.argv[2]])
shows(r"\(warpstep\) ")
keys("b empty\n")
shows(r"\(warpstep\) ")
keys("run\n")
shows("first: foreground 1, leader 1, ")
keys("one\n")  # the program reads it, not the prompt
shows("read one\r\n")
shows(r"Breakpoint 1, thread")
shows(r"\(warpstep\) ")
keys("\x03")  # at the prompt it is the debugger's
shows(r"\(warpstep\) ")
keys("delete 1\n")
shows(r"\(warpstep\) ")
keys("c\n")
shows("second: foreground 1, leader 1, ")
keys("\x03")  # while the program waits for a line
shows("Interrupted: the program is running host code")
shows(r"\(warpstep\) ")
keys("\x03")
shows(r"\(warpstep\) ")
keys("info host\n")
shows("is running host code")
shows(r"\(warpstep\) ")
keys("c\n")
time.sleep(0.3)
keys("\x1a")  # Ctrl-Z: back to the prompt
shows("Interrupted: the program is running host code")
shows(r"\(warpstep\) ")
keys("c\n")
time.sleep(0.3)
keys("two\n")
shows("read two\r\n")
shows("third: foreground 1, leader 1, ")
keys("\x03")
shows(r"\(warpstep\) ")
keys("b empty\n")  # the prompt's own modes: it is echoed
shows("b empty.*\r\n")
shows(r"\(warpstep\) ")
keys("c\n")
time.sleep(0.3)
keys("three\n")
shows("read three\r\n")
shows("Breakpoint 2, thread")
shows(r"\(warpstep\) ")
keys("c\n")
shows("echo 0\r\n")  # and the program's
shows("exited with code 05")
shows(r"\(warpstep\) ")
keys("quit\n")
ends()

start([sys.argv[3], "outlive", sys.argv[4]])
shows(r"\(warpstep\) ")
keys("b fill\n")
shows(r"\(warpstep\) ")
keys("run\n")
shows(r"Breakpoint 1, thread")
shows(r"\(warpstep\) ")
keys("\x04")  # the end of what is typed is `quit`
shows(r"A debugging session is active.\s*Inferior 1 \[process \d+\] will be killed.\s*Quit anyway\? \(y or n\) ")
keys("n\n")
shows(r"\(warpstep\) ")
keys("kill\n")
shows(r"\(y or n\) ")
keys("y\n")
shows("killed")
shows(r"\(warpstep\) ")
end = time.time() + 20
while time.time() < end and not os.path.exists(sys.argv[4]):
    time.sleep(0.1)
if not os.path.exists(sys.argv[4]):
    print("what the program has left behind doesn't go on")
    os.kill(pid, 9)
    sys.exit(1)
keys("\x04")
shows(r"A kernel is running. Quit anyway\? \(y or n\) ")
keys("\x04")  # which is `y`
ends()
