"""What the tests of pictures share: a run of warpstep whose answers are parsed JSON."""
import json
import subprocess


def answers(warpstep, commands, options=(), cwd=None, prompt=False):
    """Runs commands and returns the answers' objects, one for each command that answered."""
    args = [warpstep, "-q", "-n", *options]
    if not prompt:
        args.append("--batch")
    for c in ["set output json", *commands]:
        args += ["-ex", c]
    if prompt:
        args += ["-ex", "quit"]
    out = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=cwd, stdin=subprocess.DEVNULL)
    return [json.loads(line) for line in out.stdout.splitlines() if line.startswith("{")]


def result(found, command):
    """Returns the result of the last answer to a command."""
    return [a["result"] for a in found if a.get("command") == command][-1]
