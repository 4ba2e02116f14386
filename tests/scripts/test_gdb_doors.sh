# Which connections gdb's server accepts: other users, browsers, silent connections, other machines, and the socket file.
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
is_gone() { ! kill -0 "$1" 2>/dev/null; }
listens() { # FILE: the port it says is in `port`
	port=$(sed -n 's/^Listening for gdb on .*:\([0-9]*\)$/\1/p' "$1")
	[ -n "$port" ]
}
hex() { printf %s "$1" | od -An -tx1 | tr -d ' \n'; }
frame() { # PAYLOAD
	local i sum=0 c
	for ((i = 0; i < ${#1}; i++)); do
		printf -v c %d "'${1:i:1}"
		sum=$(((sum + c) & 255))
	done
	printf '$%s#%02x' "$1" $sum
}
run_gdb() { timeout 100 gdb -q -nx -batch -iex 'set pagination off' -iex 'set confirm off' -iex 'set remotetimeout 20' "$@" 2>&1; }
answer() { # PACKET...: what the server says to a connection that sends these and waits
	local packet got=
	exec 8<>"/dev/tcp/127.0.0.1/$port"
	for packet; do printf %s "$packet"; done >&8
	got=$(timeout 20 cat <&8 | tr -d '\0')
	exec 8>&-
	echo "$got"
}
serve() { # OPTION...: with a prompt on descriptor 9; its output in out, err
	rm -f prompt out err && mkfifo prompt
	touch out err
	"${as[@]}" "$WARPSTEP" -m functional "$@" lanes.ptx -ex 'buffer A f32[256] = zero' -ex 'launch lanes<<<2,64>>>(A, 5)' <prompt >out 2>err &
	server=$!
	exec 9>prompt
}
ends() { exec 9>&-; kill $server 2>/dev/null; wait $server 2>/dev/null; }
trap 'kill $server 2>/dev/null' EXIT
as=()
# of other users too
chmod 755 .
cp "$ROOT/tests/gdb/lanes.ptx" .

serve -g 127.0.0.1:0
until_true listens err || { bad "it doesn't listen: $(cat err)"; exit 1; }

# a browser: whatever its request carries isn't executed, and its connection is closed at once
spoils=$(frame "qRcmd,$(hex 'set listsize 77')")$(frame "qRcmd,$(hex 'shell touch made')")
for line in 'GET / HTTP/1.1' 'POST / HTTP/1.1' 'PUT /x HTTP/1.1' 'OPTIONS * HTTP/1.1' 'PRI * HTTP/2.0' '+ / HTTP/1.1' '$k#6b / HTTP/1.1' \
	'$ / HTTP/1.1' $'\x16\x03\x01'; do
	got=$(answer "$line"$'\r\n\r\n'"$spoils")
	[ -z "$got" ] || bad "an answer to '$line': $got"
done
got=$(run_gdb -ex "target remote 127.0.0.1:$port" -ex 'monitor show listsize' -ex 'print $cycle' -ex detach)
grep -qw 77 <<<"$got" && bad "a browser's command was executed"
expect "$got" '^\$1 = 0$' "gdb after browsers"

# silent connections keep no gdb out, and neither do those that have sent half a packet
silent=()
for _ in $(seq 12); do
	exec {fd}<>"/dev/tcp/127.0.0.1/$port"
	silent+=("$fd")
	printf '+$qSuppor' >&"$fd"
done
got=$(run_gdb -ex "target remote 127.0.0.1:$port" -ex 'print $cycle' -ex detach)
expect "$got" '^\$1 = 0$' "gdb beside silent connections"
for fd in "${silent[@]}"; do exec {fd}>&-; done

# ... and they don't stop what the prompt runs; gdb does
{ echo 'kill'; echo 'launch spin<<<1,32>>>(A)'; } >&9
until_true grep -q 'spin launched' out
echo 'continue' >&9
exec {fd}<>"/dev/tcp/127.0.0.1/$port"
sleep 0.5
grep -q Interrupted out && bad "a silent connection stops the machine"
got=$(run_gdb -ex "target remote 127.0.0.1:$port" -ex 'print $cycle > 0' -ex detach)
expect "$got" '^\$1 = 1$' "gdb while the machine runs beside a silent connection"
exec {fd}>&-

# another user is refused, with the reason; also one who has gone when he is looked for, and one who comes by IPv6's form of IPv4
other() { setpriv --reuid=12345 --regid=12345 --clear-groups "$@"; }
if [ "$(id -u)" = 0 ] && other true 2>/dev/null; then
	got=$(other bash -c 'exec 8<>/dev/tcp/127.0.0.1/'"$port"'; printf %s "$1" >&8; timeout 20 head -c 60 <&8' - "$(frame "qRcmd,$(hex 'set listsize 77')")")
	expect "$got" 'E.warpstep: this server is for user 0, and not' "another user"
	for _ in $(seq 20); do
		other bash -c 'printf %s "$1" >/dev/tcp/127.0.0.1/'"$port" - "$(frame "qRcmd,$(hex 'set listsize 77')")"
	done
	python3 - "$port" <<'END' || bad "an IPv4 address in IPv6's form"
import os, socket, sys
"a".encode("idna") # what Python loads for an address, a user may not be able to read
os.setuid(12345)
try:
    s = socket.create_connection(("::ffff:127.0.0.1", int(sys.argv[1])), 10)
except OSError: # there is no IPv6
    sys.exit(0)
s.sendall(b"$?#3f")
assert b"this server is for user 0" in s.recv(1000)
END
	got=$(run_gdb -ex "target remote 127.0.0.1:$port" -ex 'monitor show listsize' -ex detach)
	grep -qw 77 <<<"$got" && bad "another user's command was executed"
	ends
	# a server of that user lets root in, and itself
	as=(other)
	mkdir -m 777 open && cp lanes.ptx open && cd open || exit 2
	if other test -x "$WARPSTEP"; then
		serve -g 127.0.0.1:0
		until_true listens err || bad "a user's server doesn't listen: $(cat err)"
		got=$(run_gdb -ex "target remote 127.0.0.1:$port" -ex 'print $cycle' -ex detach)
		expect "$got" '^\$1 = 0$' "root at a user's server"
		got=$(other gdb -q -nx -batch -ex "target remote 127.0.0.1:$port" -ex 'print $cycle' -ex detach 2>&1)
		expect "$got" '^\$1 = 0$' "a user at his own server"
		ends
	fi
	cd .. || exit 2
	as=()
else
	ends
fi

# IPv6 and its loopback address
serve -g '[::1]:0'
until_true [ -s err ]
if listens err; then
	got=$(run_gdb -ex "target remote [::1]:$port" -ex 'print $cycle' -ex 'monitor save A made' -ex detach)
	expect "$got" '^\$1 = 0$' "gdb by IPv6"
	[ -e made ] || bad "gdb by IPv6 may not save a file: $got"
	rm -f made
fi
ends

# an address that other machines reach: gdb debugs, but has no files and programs
serve -g 0.0.0.0:0
until_true listens err || bad "it doesn't listen everywhere: $(cat err)"
grep -q '^warning: anybody who reaches' err || bad "no warning: $(cat err)"
got=$(run_gdb -ex "target remote 127.0.0.1:$port" -ex 'monitor save A made' -ex 'monitor shell touch made' -ex 'monitor print 40 + 2' -ex detach)
expect "$got" 'save: gdb may not touch .* --gdb-trust' "save from elsewhere"
expect "$got" 'shell.*not for gdb' "shell from elsewhere"
expect "$got" '= 42' "print from elsewhere"
[ -e made ] && bad "a file was made from elsewhere"
ends
serve -g 0.0.0.0:0 --gdb-trust
until_true listens err || bad "it doesn't listen everywhere with --gdb-trust: $(cat err)"
got=$(run_gdb -ex "target remote 127.0.0.1:$port" -ex 'monitor save A made' -ex 'monitor shell touch shelled' -ex detach)
[ -e made ] || bad "no file with --gdb-trust: $got"
[ -e shelled ] && bad "a shell for gdb"
rm -f made
ends

# a program's arguments are a shell's: not from elsewhere
rm -f err && touch err
launch=(-g 0.0.0.0:0 --args /bin/true)
"$WARPSTEP" "${launch[@]}" <prompt >out 2>err &
server=$!
exec 9>prompt
until_true listens err || bad "it doesn't listen for a program: $(cat err)"
got=$(run_gdb -ex "target extended-remote 127.0.0.1:$port" -ex 'monitor run $(touch made)' -ex 'run $(touch made)' -ex detach)
expect "$got" 'run with arguments: gdb may not touch' "monitor run with arguments from elsewhere"
expect "$got" 'on the remote target failed' "run with arguments from elsewhere"
[ -e made ] && bad "arguments from elsewhere were a shell's"
ends

# a socket file: its user's only, removed at the end
serve -g unix:sock
until_true grep -qx 'Listening for gdb on unix:sock' err || bad "no socket file: $(cat err)"
[ "$(stat -c '%F %a' sock)" = 'socket 600' ] || bad "the socket file is $(stat -c '%F %a' sock)"
got=$(run_gdb -ex "target remote sock" -ex 'print $cycle' -ex 'monitor save A made' -ex detach)
expect "$got" '^\$1 = 0$' "gdb by a socket file"
[ -e made ] || bad "gdb by a socket file may not save: $got"
"$WARPSTEP" --batch -g unix:sock </dev/null >second 2>&1 && bad "two servers have one socket file"
expect "$(cat second)" "^error: can't listen on 'sock': a live server" "a second server"
echo "gdbserver unix:other/sock" >&9
echo "gdbserver unix:$(printf %0200d 0)" >&9
echo "gdbserver unix:lanes.ptx" >&9
until_true grep -q "lanes.ptx'" err
expect "$(cat err)" "can't listen on 'other/sock': No such file" "a folder that is missing"
expect "$(cat err)" "at most 107 bytes" "a name that is too long"
expect "$(cat err)" "can't listen on 'lanes.ptx': it is no socket" "a file that is none"
got=$(run_gdb -ex "target remote sock" -ex 'print $cycle' -ex detach)
expect "$got" '^\$1 = 0$' "gdb by a socket file after other places were refused"
# one that a dead server has left is replaced
kill -9 $server; wait $server 2>/dev/null; exec 9>&-
[ -S sock ] || bad "a killed server has removed its socket file"
serve -g unix:sock
until_true grep -qx 'Listening for gdb on unix:sock' err || bad "a dead server's socket file isn't replaced: $(cat err)"
echo 'cd /' >&9
echo 'gdbserver off' >&9
until_true [ ! -e sock ] || bad "the socket file stays after 'gdbserver off'"
ends
serve -g unix:sock
until_true grep -qx 'Listening for gdb on unix:sock' err || bad "no socket file: $(cat err)"
echo 'quit' >&9
until_true is_gone $server || bad "quit doesn't end it"
[ -e sock ] && bad "the socket file stays at the end"
ends
exit $status
