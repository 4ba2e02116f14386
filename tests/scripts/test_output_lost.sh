# Results that can't be written are a failed command; a reader that goes away ends the session quietly, however much is still to come.
ws=$WARPSTEP
fail() { echo "$*"; exit 1; }

# expect STATUS COMMAND...: with standard output on a full device
expect() {
	local want=$1 got
	shift
	"$@" >/dev/full 2>"err" </dev/null
	got=$?
	[ $got = "$want" ] || fail "'${*:2}' on a full device ended with $got, not $want"
}

[ -c /dev/full ] || { echo "there is no /dev/full"; exit 77; }
expect 1 "$ws" --version
expect 1 "$ws" --help
for commands in 'print 1' 'info config'; do # less and more than a buffer of the C library
	expect 1 "$ws" -q --batch -ex "$commands"
	[ "$(cat "err")" = "error: can't write to standard output" ] || fail "no word of it: $(cat "err")"
done
expect 0 "$ws" -q --batch -ex 'set $a = 1'

"$ws" -q --batch -ex 'print 1' >&- 2>/dev/null && fail "a closed standard output is no failure"
"$ws" -q --batch -ex 'set $a = 1' >&- || fail "nothing to print, yet a closed standard output is a failure"

# all the rest of an endless input would be read for nobody
yes 'print 1' | timeout 20 "$ws" -q 2>"err" | head -1 >"out"
status=("${PIPESTATUS[@]}")
[ "${status[1]}" = 0 ] || fail "without its reader the program ended with ${status[1]}"
[ "$(cat "out")" = '$1 = 1' ] && [ ! -s "err" ] || fail "without its reader: $(cat "err")"
