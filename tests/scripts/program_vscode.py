# VS Code on a CUDA program: two gdbs, driven over MI as the C/C++ extension drives them, by macros/vscode/launch.json's compound. PROGRAM LIBRARIES
import json
import os
import queue
import socket
import subprocess
import sys
import threading

PROGRAM, LIBRARIES = sys.argv[1:]


class Gdb:
    def __init__(self, name):
        self.name, self.n, self.seen = name, 0, []
        self.process = subprocess.Popen(["gdb", "-nx", "-q", "--interpreter=mi"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def until(self, found):
        while True:
            try:
                line = self.lines.get(timeout=60)
            except queue.Empty:
                line = None
            if line is None:
                sys.exit(f"{self.name}: no more; it said:\n" + "\n".join(self.seen[-30:]))
            self.seen.append(line)
            if found(line):
                return line

    def send(self, command, fails=False):
        self.n += 1
        self.process.stdin.write(f"{self.n}{command}\n")
        self.process.stdin.flush()
        answer = self.until(lambda line: line.startswith(f"{self.n}^"))
        if "^error" in answer and not fails:
            sys.exit(f"{self.name}: {command}: {answer}")
        return answer

    def console(self, command, fails=False):
        text = command.replace("\\", "\\\\").replace('"', '\\"')
        return self.send(f'-interpreter-exec console "{text}"', fails)

    def stopped(self, what):
        line = self.until(lambda line: line.startswith("*stopped"))
        if what not in line:
            sys.exit(f"{self.name}: no '{what}' in {line}")
        return line


with open(os.path.join(os.environ["ROOT"], "macros/vscode/launch.json")) as file:
    settings = json.loads("".join(line for line in file if not line.strip().startswith("//")))
by_name = {c["name"]: c for c in settings["configurations"]}
host_settings, kernel_settings = (by_name[name] for name in settings["compounds"][0]["configurations"])
with socket.socket() as s:
    s.bind(("127.0.0.1", 0))
    server = f"127.0.0.1:{s.getsockname()[1]}"

host = Gdb("host")
host.send("-gdb-set mi-async on")
host.send(f"-environment-cd {os.path.dirname(PROGRAM)}")
for variable in host_settings["environment"]:
    value = variable["value"].replace("/usr/local/lib/warpstep", LIBRARIES).replace("127.0.0.1:1234", server)
    host.console(f"set environment {variable['name']}={value}")
host.send(f"-file-exec-and-symbols {PROGRAM}")
host.send("-break-insert -f main")
host.send("-exec-run")
host.stopped('reason="breakpoint-hit"')
host.send("-exec-continue")

kernel = Gdb("kernels")
kernel.send("-gdb-set mi-async on")
for command in kernel_settings["setupCommands"] + kernel_settings["customLaunchSetupCommands"]:
    kernel.console(command["text"].replace("127.0.0.1:1234", server), command.get("ignoreFailures", False))
kernel.send("-thread-info")
kernel.send("-break-insert -f vecadd")
kernel.send("-exec-continue")
kernel.stopped('reason="breakpoint-hit"')
print("kernel:", "vecadd" if 'func="vecadd"' in kernel.send("-stack-list-frames 0 1000") else kernel.seen[-1])
# the host stands in its call meanwhile
host.send("-exec-interrupt")
host.stopped('reason="signal-received"')
host.send("-thread-select 1")
print("host:", "main" if 'func="main"' in host.send("-stack-list-frames 0 1000") else host.seen[-1])
host.send("-exec-continue")
kernel.send("-break-delete 1")
kernel.send("-exec-continue")
host.stopped('reason="exited-normally"')
print("ended")
for gdb in (host, kernel):
    gdb.process.kill()
    gdb.process.wait()
