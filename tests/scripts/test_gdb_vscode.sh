# macros/vscode/launch.json: the commands of its configurations, in the order in which cppdbg gives them to gdb, find the kernel they say.
: "${WARPSTEP:?}" "${ROOT:?}"
command -v gdb >/dev/null && gdb -nx -batch -ex 'python import json' >/dev/null 2>&1 || { echo "no gdb with Python"; exit 77; }
. "$ROOT/tests/lib/serve_lanes"
mkdir 'a folder' bin
ln -s "$ROOT/macros" 'a folder/macros'
ln -s "$ROOT/tests/gdb/lanes.ptx" 'a folder/lanes.ptx'
ln -s "$WARPSTEP" bin/warpstep
session() { printf '%s\n' "load $1" 'buffer A f32[256] = zero' 'launch lanes<<<1,64>>>(A, 5)' >'a folder/session.ws'; } # KERNEL
session lanes.ptx
cat >read.py <<'PYTHON'
import json, os
file = os.environ["ROOT"] + "/macros/vscode/launch.json"
lines = [line for line in open(file) if not line.strip().startswith("//")]
for c in json.loads("".join(lines))["configurations"]:
    if "environment" in c:
        continue # the host's: test_program_vscode.sh
    keys = {"type": "cppdbg", "request": "launch", "MIMode": "gdb", "stopAtConnect": True, "targetArchitecture": "x86_64", "launchCompleteCommand": "None"}
    wrong = [key for key in keys if c.get(key) != keys[key]] + [key for key in ("program", "cwd", "miDebuggerServerAddress") if not c.get(key)]
    name = c["name"].removeprefix("warpstep: ").split()[0]
    with open(name + ".gdb", "w") as out:
        for command in c["setupCommands"] + c["customLaunchSetupCommands"]:
            text = command["text"].replace("${workspaceFolder}", os.getcwd() + "/a folder").replace("127.0.0.1:1234", os.environ["SERVER"])
            tried = "try:\n gdb.execute(%r)\nexcept gdb.error:\n %s" % (text, "pass" if command.get("ignoreFailures") else "raise")
            print("python exec(%r)" % tried, file=out)
    print(name, *wrong)
PYTHON
export PATH=$PWD/bin:$PATH
status=0
got=$(gdb -nx -batch -x read.py 2>&1)
[ "$got" = $'attach\nlaunch\nstart' ] || { echo "configurations: $got"; status=1; }
with() { # CONFIGURATION COMMAND...
	local file=$1.gdb args=() c
	shift
	for c; do args+=(-ex "$c"); done
	timeout 60 gdb -q -nx -batch -iex 'set pagination off' -x "$file" "${args[@]}" 2>&1
}
expect() { # TEXT PATTERN WHAT
	grep -qE -- "$2" <<<"$1" || { echo "$3: no '$2' in: $(head -c 1500 <<<"$1")"; status=1; }
}
got=$(with attach 'info line' 'break lanes.ptx:58 if r1 == 40' continue 'x/i $pc' detach)
expect "$got" '^Line 40 of' "attach"
expect "$got" 'Thread 41 .* hit Breakpoint 1, lanes ' "attach"
expect "$got" '^=> .*add.u32 %r8, %r8, 1;' "attach"
expect "$(with attach 'info line' detach)" '^Line 58 of' "attach goes on from where it stands"
expect "$(with launch 'info line' 'print $uid' kill)" '^Line 40 of' "launch again from the middle"
expect "$(with attach backtrace)" ' in host ' "attach after kill"
# the disassembly view begins 200 instructions before pc, each of 26 bytes, and asks for 400
expect "$(with attach 'x/i $pc - 200 * 26' detach)" '^   0x[0-9a-f]*:\s\(no code\)$' "disassembly view"
expect "$(with launch 'break lanes.ptx:58' continue 'x/i $pc + 200 * 26' kill)" '^   0x[0-9a-f]*:\s\(no code\)$' "disassembly view"
got=$(with launch 'info line' 'break lanes.ptx:58' continue 'x/i $pc' kill)
expect "$got" '^Line 40 of' "launch again after kill"
expect "$got" 'hit Breakpoint 1, lanes ' "launch again after kill"
expect "$got" '^=> .*add.u32 %r8, %r8, 1;' "launch again after kill"
got=$(with start 'info line' 'break lanes.ptx:58 if r1 == 40' continue 'x/i $pc' kill)
expect "$got" '^Line 40 of' "start"
expect "$got" 'Thread 41 .* hit Breakpoint 1, lanes ' "start"
expect "$got" '^=> .*add.u32 %r8, %r8, 1;' "start"
# cppdbg shows nothing of what gdb and warpstep say before the first stop: what has kept the script from a launch is told again, once
session lane.ptx
got=$(with start continue continue step | sed '1,/ in host /d')
expect "$got" "^warpstep: error: can't read 'lane.ptx'" "start without a kernel"
[ "$(grep -c '^warpstep: nothing is running: launch a kernel first$' <<<"$got")" = 2 ] || { echo "not told once: $got"; status=1; }
got=$(with start 'monitor load lanes.ptx' 'monitor buffer B f32[64] = zero' 'monitor launch lanes<<<1,64>>>(B, 5)' continue continue | sed '1,/ in host /d')
[ "$(grep -c '^warpstep: ' <<<"$got")" = 1 ] || { echo "told after a launch: $got"; status=1; }
exit $status
