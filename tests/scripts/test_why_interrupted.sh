#!/bin/bash
# Ctrl-C during a look at the past: the machine stands where it stood, whatever was interrupted.
command -v python3 >/dev/null || { echo "there is no python3"; exit 77; }
python3 - "$WARPSTEP" "$ROOT/bench/kernels.ptx" <<'END'
import signal
import subprocess
import sys
import time

bad = seen = 0
for look in "diff-launch 0 functional", "why O[5] 8":
    p = subprocess.Popen([sys.argv[1], "-q", "-m", "performance", "-ex", "set history on", sys.argv[2]], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True)

    def until(word, *lines):
        p.stdin.write("\n".join(lines) + f"\necho {word}\\n\n")
        p.stdin.flush()
        out = ""
        while word + "\n" not in out:
            s = p.stdout.readline()
            if not s:
                break
            out += s
        return out

    before = until("READY", "buffer P f32[16384] = random 3 -1 1", "buffer O f32[16384]", "run nbody<<<8, 128>>>(O, P, 1024)", "p $cycle", "p O[5]")
    p.stdin.write(look + "\n")
    p.stdin.flush()
    time.sleep(0.05)
    p.send_signal(signal.SIGINT)
    time.sleep(0.1)
    try:
        until("AGAIN")  # what was typed meanwhile may be dropped
        after = until("DONE", "p $cycle", "p O[5]")
        p.stdin.close()
    except BrokenPipeError:  # it was over already, and nobody types
        p.wait()
        continue
    p.wait()
    seen += 1
    want = [s.split(" = ")[1] for s in before.split("\n") if s.startswith("$")]
    got = [s.split(" = ")[1] for s in after.split("\n") if s.startswith("$")]
    if want != got or len(want) != 2:
        print(f"{look}: {want}, then {got}: {after}")
        bad = 1
if not seen:
    print("nothing could be interrupted in time")
sys.exit(bad or (0 if seen else 77))
END
