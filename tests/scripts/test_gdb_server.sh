# The gdb server beside the prompt: where it listens, one client at a time, clients that vanish, detach and attach again, what prompt
# and gdb see of each other.
: "${WARPSTEP:?}" "${ROOT:?}"
status=0
bad() { echo "$*"; status=1; }
expect() { # TEXT PATTERN WHAT
	grep -qE -- "$2" <<<"$1" || bad "$3: no '$2' in: $(head -c 600 <<<"$1")"
}
mkfifo prompt
"$WARPSTEP" -m functional -g 127.0.0.1:0 "$ROOT/tests/gdb/lanes.ptx" -ex 'buffer A f32[256] = zero' \
	-ex 'launch lanes<<<2,64>>>(A, 5)' <prompt >out 2>err &
server=$!
trap 'kill $server 2>/dev/null' EXIT
exec 9>prompt
for _ in $(seq 100); do
	port=$(sed -n 's/^Listening for gdb on 127.0.0.1:\([0-9]*\)$/\1/p' err)
	[ -n "$port" ] && break
	sleep 0.05
done
[ -n "$port" ] || { bad "it doesn't listen: $(cat err)"; exit 1; }
run_gdb() { timeout 30 gdb -q -nx -batch -iex 'set pagination off' -iex 'set confirm off' "$@" 2>&1; }

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

got=$(run_gdb -ex "target remote :$port" -ex 'break scale' -ex continue -ex 'print $cycle' -ex detach)
expect "$got" 'hit Breakpoint 1, scale' "first gdb"
cycle=$(sed -n 's/^\$1 = //p' <<<"$got")

# the machine stayed where it was
got=$(run_gdb -ex "target remote :$port" -ex 'print $cycle' -ex 'backtrace')
expect "$got" "\\\$1 = $cycle\$" "attached again"
expect "$got" '#1 .* in lanes' "attached again"

# a second one is refused, the first goes on
(sleep 1; run_gdb -ex "target remote :$port" >second) &
got=$(run_gdb -ex "target remote :$port" -ex 'shell sleep 3' -ex 'print fi')
wait $!
expect "$(cat second)" 'another gdb is attached here already' "second gdb"
expect "$got" '\$1 = 0$' "first gdb beside a second one"

# the prompt sees the same machine, and gdb is shown what the prompt did
(sleep 1; echo 'print $cycle'; echo 'stepi'; sleep 1) >&9 &
got=$(run_gdb -ex "target remote :$port" -ex 'shell sleep 2' -ex stepi -ex 'print $cycle')
wait $!
expect "$(cat out)" "= $cycle\$" "prompt"
expect "$(cat out)" 'Stepped to lanes.ptx:13' "prompt"
expect "$got" 'the machine was run from its own prompt' "gdb after the prompt's step"

# a client that vanishes while the machine runs
{ frame QStartNoAckMode; frame "qRcmd,$(hex kill)"; frame "qRcmd,$(hex 'launch spin<<<1,32>>>(A)')"; frame 'vCont;c'; } \
	>"/dev/tcp/127.0.0.1/$port"
sleep 0.5
got=$(run_gdb -ex "target remote :$port" -ex 'info threads 1' -ex kill)
expect "$got" 'block \(0,0,0\) thread \(0,0,0\)' "gdb after one that vanished"

# gdb comes while the prompt runs a kernel that would not end
{ echo 'kill'; echo 'launch spin<<<1,32>>>(A)'; echo 'continue'; } >&9
sleep 1
got=$(run_gdb -ex "target remote :$port" -ex 'print r2 > 10')
expect "$got" '\$1 = 1$' "gdb comes while the prompt runs"

echo 'quit' >&9
exec 9>&-
for _ in $(seq 100); do
	kill -0 $server 2>/dev/null || break
	sleep 0.05
done
kill -0 $server 2>/dev/null && bad "quit doesn't end it"

# with --batch, gdb's kill ends the program; an exception has set its status
"$WARPSTEP" --batch -m functional -g 127.0.0.1:0 "$ROOT/tests/gdb/lanes.ptx" -ex 'buffer A f32[256] = zero' \
	-ex 'launch wild<<<1,32>>>(A)' </dev/null >out 2>batch.err &
server=$!
for _ in $(seq 100); do
	port=$(sed -n 's/^Listening for gdb on 127.0.0.1:\([0-9]*\)$/\1/p' batch.err)
	[ -n "$port" ] && break
	sleep 0.05
done
got=$(run_gdb -ex "target remote :$port" -ex continue -ex kill)
expect "$got" 'received signal SIGSEGV' "gdb of --batch"
for _ in $(seq 100); do
	kill -0 $server 2>/dev/null || break
	sleep 0.05
done
if kill -0 $server 2>/dev/null; then
	bad "kill doesn't end a program with --batch"
	kill $server
else
	wait $server
	[ $? = 3 ] || bad "status of --batch after an exception isn't 3"
fi

# places that are none
for where in '' : :x :99999 nowhere.invalid:1 1:2:3; do
	timeout 20 "$WARPSTEP" --batch -g "$where" </dev/null >out 2>err && bad "-g '$where' works"
	grep -q '^error: ' err || bad "-g '$where': $(cat err)"
done
"$WARPSTEP" -ex 'gdbserver 0.0.0.0:0' -ex quit </dev/null >out 2>err
grep -q '^warning: ' out || bad "no warning for 0.0.0.0: $(cat out err)"
exit $status
