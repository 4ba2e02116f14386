# The gdb server beside the prompt: where it listens, one client at a time, clients that vanish, detach and attach again, what prompt
# and gdb see of each other.
: "${WARPSTEP:?}" "${ROOT:?}"
status=0
bad() { echo "$*"; status=1; }
expect() { # TEXT PATTERN WHAT
	grep -qE -- "$2" <<<"$1" || bad "$3: no '$2' in: $(head -c 600 <<<"$1")"
}
until_true() { # COMMAND...: waits until it succeeds, 60 seconds at most
	for _ in $(seq 600); do
		"$@" && return
		sleep 0.1
	done
	return 1
}
# none, as its users type it; where there is no /etc/hosts gdb doesn't find localhost
host=$(getent hosts localhost >/dev/null || echo 127.0.0.1)
is_gone() { ! kill -0 "$1" 2>/dev/null; }
listens() { # FILE: the port it says is in `port`
	port=$(sed -n 's/^Listening for gdb on 127.0.0.1:\([0-9]*\)$/\1/p' "$1")
	[ -n "$port" ]
}
mkfifo prompt
"$WARPSTEP" -m functional -g 127.0.0.1:0 "$ROOT/tests/gdb/lanes.ptx" -ex 'buffer A f32[256] = zero' \
	-ex 'launch lanes<<<2,64>>>(A, 5)' <prompt >out 2>err &
server=$!
trap 'kill $server 2>/dev/null' EXIT
exec 9>prompt
until_true listens err || { bad "it doesn't listen: $(cat err)"; exit 1; }
run_gdb() { timeout 100 gdb -q -nx -batch -iex 'set pagination off' -iex 'set confirm off' "$@" 2>&1; }

hex() { printf %s "$1" | od -An -tx1 | tr -d ' \n'; }
frame() { # PAYLOAD
	local i sum=0 c
	for ((i = 0; i < ${#1}; i++)); do
		printf -v c %d "'${1:i:1}"
		sum=$(((sum + c) & 255))
	done
	printf '$%s#%02x' "$1" $sum
}

# clients that go in the middle of everything
printf 'garbage' >"/dev/tcp/127.0.0.1/$port"
printf '$qSupp' >"/dev/tcp/127.0.0.1/$port"
printf '+$qSupported:xml#00$g#67\003\003' >"/dev/tcp/127.0.0.1/$port"
printf '$vCont;c' >"/dev/tcp/127.0.0.1/$port"

got=$(run_gdb -ex "target remote $host:$port" -ex 'break scale' -ex continue -ex 'print $cycle' -ex detach)
expect "$got" 'hit Breakpoint 1, scale' "first gdb"
cycle=$(sed -n 's/^\$1 = //p' <<<"$got")

# the machine stayed where it was
got=$(run_gdb -ex "target remote $host:$port" -ex 'print $cycle' -ex 'backtrace')
expect "$got" "\\\$1 = $cycle\$" "attached again"
expect "$got" '#1 .* in lanes' "attached again"

# a second one is refused, the first goes on
until_there='for _ in $(seq 600); do [ -e FILE ] && break; sleep 0.1; done'
(until_true [ -e first-is-there ]; run_gdb -ex "target remote $host:$port" >second; : >second-was-there) &
got=$(run_gdb -ex "target remote $host:$port" -ex 'shell : >first-is-there' -ex "shell ${until_there/FILE/second-was-there}" -ex 'print fi')
wait $!
expect "$(cat second)" 'another gdb is attached here already' "second gdb"
expect "$got" '\$1 = 0$' "first gdb beside a second one"

# the prompt sees the same machine, and gdb is shown what the prompt did
(until_true [ -e gdb-is-there ]; echo 'print $cycle'; echo 'stepi'; until_true grep -q '^Stepped to' out; : >prompt-has-stepped) >&9 &
got=$(run_gdb -ex "target remote $host:$port" -ex 'shell : >gdb-is-there' -ex "shell ${until_there/FILE/prompt-has-stepped}" -ex stepi -ex 'print $cycle')
wait $!
expect "$(cat out)" "= $cycle\$" "prompt"
expect "$(cat out)" 'Stepped to lanes.ptx:13' "prompt"
expect "$got" 'the machine was run from its own prompt' "gdb after the prompt's step"

# on a breakpoint gdb steps one thread by itself before it goes on: it shows what the prompt did, once, and can go on
(until_true [ -e gdb-is-at-15 ]; echo 'next'; until_true grep -q '^Stepped to lanes.ptx:58' out; : >prompt-is-at-58) >&9 &
got=$(run_gdb -ex "target remote $host:$port" -ex 'break 15' -ex 'break 58' -ex continue -ex 'shell : >gdb-is-at-15' \
	-ex "shell ${until_there/FILE/prompt-is-at-58}" -ex next -ex next -ex 'info line')
wait $!
expect "$got" 'the machine was run from its own prompt' "gdb on a breakpoint after the prompt's step"
expect "$got" '^Line 59 of' "gdb goes on from there"

# ... also before it lets one thread go on and no other
(until_true [ -e gdb-is-locked ]; echo 'next'; until_true grep -q '^Stepped to lanes.ptx:60' out; : >prompt-is-at-60) >&9 &
got=$(run_gdb -ex "target remote $host:$port" -ex 'set scheduler-locking on' -ex 'shell : >gdb-is-locked' \
	-ex "shell ${until_there/FILE/prompt-is-at-60}" -ex continue -ex 'info line' -ex 'tbreak 61' -ex continue -ex 'info line')
wait $!
expect "$got" 'the machine was run from its own prompt' "gdb lets one thread go on after the prompt's step"
expect "$got" '^Line 60 of' "gdb lets one thread go on after the prompt's step"
expect "$got" '^Line 61 of' "gdb lets one thread go on from there"

# what the prompt did isn't mixed into what gdb knows of its thread (gdb 13 aborts when it steps then)
(until_true [ -e gdb-is-at-60 ]; echo 'stepi'; until_true grep -q '^Stepped to lanes.ptx:61' out; : >prompt-is-at-61) >&9 &
got=$(run_gdb -ex "target remote $host:$port" -ex 'break 60' -ex continue -ex 'shell : >gdb-is-at-60' \
	-ex "shell ${until_there/FILE/prompt-is-at-61}" -ex 'info registers laneid' -ex 'thread apply 3 frame' -ex next -ex 'info line')
wait $!
expect "$got" '^#0 .*lanes.ptx:61$' "other lanes after the prompt's step"
expect "$got" 'the machine was run from its own prompt' "gdb reads registers after the prompt's step"
expect "$got" '^Line 61 of' "gdb reads registers after the prompt's step"

# ... nor if gdb then asks about a thread that is gone
(until_true [ -e gdb-is-at-61 ]; echo 'delete'; echo 'continue'; until_true grep -q '^Kernel 0 lanes finished' out; : >prompt-is-idle) >&9 &
got=$(run_gdb -ex "target remote $host:$port" -ex 'shell : >gdb-is-at-61' -ex "shell ${until_there/FILE/prompt-is-idle}" \
	-ex 'interpreter-exec mi "-data-evaluate-expression --thread 29 --frame 1 1"' -ex next -ex 'info threads')
wait $!
expect "$got" 'nothing is running' "gdb asks about a thread that is gone"
expect "$got" '"host" .no kernel' "gdb asks about a thread that is gone"

# a breakpoint under a thread that hasn't begun: gdb steps it off there again and again until it moves
(echo 'launch lanes<<<1,32>>>(A, 5)'; echo 'launch lanes<<<1,32>>>(A, 6)'; until_true [ -e gdb-is-in-front ]; echo 'run-to-cycle $cycle + 3'
	until_true grep -q '^Reached cycle' out; : >prompt-has-run) >&9 &
until_true grep -q '^Kernel 2 lanes launched' out
got=$(run_gdb -ex "target remote $host:$port" -ex 'break *$pc if $laneid == 1' -ex 'shell : >gdb-is-in-front' \
	-ex "shell ${until_there/FILE/prompt-has-run}" -ex continue -ex 'info line' -ex delete -ex continue)
wait $!
expect "$got" 'the machine was run from its own prompt' "gdb at a launch after the prompt's run"
expect "$got" '^Line 47 of' "gdb at a launch after the prompt's run"
expect "$got" 'Kernel 2 lanes finished' "gdb goes on from a launch"

# a client that vanishes while the machine runs
exec 8<>"/dev/tcp/127.0.0.1/$port"
{ frame QStartNoAckMode; frame "qRcmd,$(hex kill)"; frame "qRcmd,$(hex 'launch spin<<<1,32>>>(A)')"; frame 'vCont;c'; } >&8
answers=
has_launched() { # three packets are answered with OK; what a client that goes before has sent may be lost on the way
	local c
	while IFS= read -r -t 0.1 -N 1 c <&8; do answers+=$c; done
	[ "$(grep -o 'OK#9a' <<<"$answers" | wc -l)" -ge 3 ]
}
until_true has_launched || bad "a client that vanishes: no answers, only $answers"
# one that comes in that very moment is not refused: the server, stopped meanwhile, finds both at once
next_comes() { # WHAT
	kill -STOP $server
	exec 8>&-
	exec 7<>"/dev/tcp/127.0.0.1/$port"
	frame qSupported >&7
	kill -CONT $server
	got=
	while [[ $got != *'#'* ]] && IFS= read -r -t 20 -n 1 c <&7; do got+=$c; done
	expect "$got" 'PacketSize' "a client that comes when one vanishes $1"
	exec 7>&-
}
next_comes 'while the machine runs'
exec 8<>"/dev/tcp/127.0.0.1/$port"
frame qSupported >&8
answers=
until [[ $answers == *'#'* ]]; do IFS= read -r -t 20 -n 1 c <&8 || break; answers+=$c; done
printf + >&8
next_comes 'with something still to be read'
got=$(run_gdb -ex "target remote $host:$port" -ex 'info threads 1' -ex kill)
expect "$got" 'block \(0,0,0\) thread \(0,0,0\)' "gdb after one that vanished"

# what stands behind a detach is not executed: nobody would be there to stop it
{ echo 'kill'; echo 'launch spin<<<1,32>>>(A)'; } >&9
exec 8<>"/dev/tcp/127.0.0.1/$port"
printf %s "$(frame QStartNoAckMode; frame D; frame 'vCont;c')" >&8
cat <&8 >/dev/null
exec 8>&-
got=$(run_gdb -iex 'set remotetimeout 5' -ex "target remote $host:$port" -ex 'print r2')
expect "$got" '\$1 = 0$' "gdb after packets behind a detach"

# a client that wants its last packet again and again: what is sent doesn't pile up before
memory() { sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' /proc/$server/status; } # the most it had, in kB
exec 8<>"/dev/tcp/127.0.0.1/$port"
before=$(memory)
{ frame 'm7ff8000,8000'; printf '%3000s' '' | tr ' ' -; frame D; } >&8
sent=$(cat <&8 | wc -c)
exec 8>&-
[ "$sent" -gt 100000000 ] || bad "a packet was sent 3000 times in only $sent bytes"
[ $(($(memory) - before)) -lt 50000 ] || bad "sending a packet 3000 times takes $(memory) kB instead of $before kB"

# gdb comes while the prompt runs a kernel that would not end
{ echo 'kill'; echo 'launch spin<<<1,32>>>(A)'; } >&9
until_true grep -q 'spin launched' out
for _ in $(seq 10); do # a gdb that comes before it runs sees it stand at its beginning
	echo 'continue' >&9
	sleep 0.5
	got=$(run_gdb -ex "target remote $host:$port" -ex 'print r2 > 10')
	grep -q '= 1$' <<<"$got" && break
done
expect "$got" '\$1 = 1$' "gdb comes while the prompt runs"

# a second one is refused also while the machine runs for the first one, which goes on as it was
exec 7<>"/dev/tcp/127.0.0.1/$port"
{ frame QStartNoAckMode; frame "qRcmd,$(hex kill)"; frame "qRcmd,$(hex 'launch spin<<<1,32>>>(A)')"; frame 'vCont;c'; } >&7
sleep 1
exec 8<>"/dev/tcp/127.0.0.1/$port"
{ frame qSupported; frame '?'; } >&8
got=
while [ "$(grep -o 'another gdb' <<<"$got" | grep -c .)" -lt 2 ] && IFS= read -r -t 20 -n 1 c <&8; do got+=$c; done
expect "$got" 'another gdb.*another gdb' "second client while the machine runs"
exec 8>&-
printf '\003' >&7
got=
while [[ $got != *T02thread* ]] && IFS= read -r -t 20 -n 1 c <&7; do got+=$c; done
expect "$got" 'T02thread' "first client beside a second one while the machine runs"
frame D >&7
cat <&7 >/dev/null
exec 7>&-

# packets that come while it runs wait until it stands; a 0x03 in one of them, here an escaped #, is none
exec 7<>"/dev/tcp/127.0.0.1/$port"
{ frame QStartNoAckMode; frame 'vCont;c'; frame $'X80000000,1:}\003'; frame m80000000,1; printf '\003'; frame D; } >&7
got=$(tr -d '\0' <&7 | grep -aoP '\$\K[^;#]+' | paste -sd' ')
exec 7>&-
expect "$got" '^OK T02thread:[^ ]* OK 23 OK$' "packets while the machine runs"

# one that comes next is told where a thread is now, and not where the first one had last heard of it
exec 7<>"/dev/tcp/127.0.0.1/$port"
{ frame QStartNoAckMode; frame '?'; frame "qRcmd,$(hex 'stepi 1')"; frame D; } >&7
cat <&7 >/dev/null
exec 7>&-
exec 7<>"/dev/tcp/127.0.0.1/$port"
{ frame QStartNoAckMode; frame p10; frame g; frame D; } >&7
got=$(tr -d '\0' <&7 | grep -aoP '\$\K[^#]+')
exec 7>&-
rip=$(sed -n 2p <<<"$got")
[[ $rip == *8*0* && $(sed -n 3p <<<"$got") == *"$rip"* ]] || bad "another client's registers: $got"

# a gdb of extended-remote that has detached is still connected, and makes room for another one
(until_true [ -e gdb-has-detached ]; run_gdb -ex "target remote $host:$port" -ex 'print $cycle >= 0' >second; : >second-has-attached) &
got=$(run_gdb -ex "target extended-remote $host:$port" -ex detach -ex 'shell : >gdb-has-detached' \
	-ex "shell ${until_there/FILE/second-has-attached}" -ex run)
wait $!
expect "$(cat second)" '^\$1 = 1$' "gdb beside one that has detached"
expect "$got" 'Remote connection closed' "gdb that has detached"

# Ctrl-C at a prompt that waits means nothing there; gdb is served as before
kill -INT $server
got=$(run_gdb -iex 'set remotetimeout 5' -ex "target remote $host:$port" -ex 'print $cycle >= 0')
expect "$got" '\$1 = 1$' "gdb after Ctrl-C at the prompt"

# gdb ends the program: the prompt doesn't wait for a line before
run_gdb -ex "target remote $host:$port" -ex 'monitor quit' >/dev/null
until_true is_gone $server || bad "monitor quit doesn't end it"
exec 9>&-

# with --batch, gdb's kill ends the program; an exception has set its status
"$WARPSTEP" --batch -m functional -g 127.0.0.1:0 "$ROOT/tests/gdb/lanes.ptx" -ex 'buffer A f32[256] = zero' \
	-ex 'launch wild<<<1,32>>>(A)' </dev/null >out 2>batch.err &
server=$!
until_true listens batch.err || bad "it doesn't listen with --batch: $(cat batch.err)"
got=$(run_gdb -ex "target remote $host:$port" -ex continue -ex kill)
expect "$got" 'received signal SIGSEGV' "gdb of --batch"
if until_true is_gone $server; then
	wait $server
	[ $? = 3 ] || bad "status of --batch after an exception isn't 3"
else
	bad "kill doesn't end a program with --batch"
	kill $server
fi

# a gdb that takes nothing for a while, when its terminal is stopped, holds up a kernel that prints, and can still be told of all of it
mkfifo prompt2
"$WARPSTEP" -m functional -g 127.0.0.1:0 "$ROOT/tests/gdb/printf.ptx" -ex 'launch say<<<1,32>>>(2000000000)' <prompt2 >print.out 2>print.err &
server=$!
exec 9>prompt2
until_true listens print.err || bad "it doesn't listen: $(cat print.err)"
exec 8<>"/dev/tcp/127.0.0.1/$port"
{ frame QStartNoAckMode; frame 'vCont;c'; frame D; } >&8
size=0
waits() { local before=$size; size=$(stat -c %s print.out); [ "$size" -gt 0 ] && [ "$size" = "$before" ]; }
until_true waits || bad "printing isn't held up: $size bytes"
kill -INT $server
timeout 60 grep -aoE '\$(O[0-9a-f]*|T02thread)' <&8 >got
exec 8>&- 9>&-
printed=$(grep hello print.out | wc -c)
got=$(grep -o 'O.*' got | tr -d 'O\n' | wc -c)
[ "$got" = $((2 * printed)) ] || bad "a kernel has printed $printed bytes while gdb took nothing, it has heard $got digits"
expect "$(grep T02 got)" 'T02thread' "Ctrl-C at the prompt while gdb takes nothing"
kill $server

# places that are none
for where in '' : :x :99999 nowhere.invalid:1 1:2:3; do
	timeout 60 "$WARPSTEP" --batch -g "$where" </dev/null >out 2>err && bad "-g '$where' works"
	grep -q '^error: ' err || bad "-g '$where': $(cat err)"
done
"$WARPSTEP" -ex 'gdbserver 0.0.0.0:0' -ex quit </dev/null >out 2>err
grep -q '^warning: ' out || bad "no warning for 0.0.0.0: $(cat out err)"
exit $status
