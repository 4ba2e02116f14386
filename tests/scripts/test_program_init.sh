#!/bin/bash
# The init checker over a program's copies within the device, whole and by rows: they take along what was written and what wasn't (cudaMemcpy copies bytes).
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"

build_shared validity 13
findings() { # PART STATUS LINE...
	local part=$1 status=$2
	shift 2
	"$WARPSTEP" -q --batch -m functional --check init --args "$DIR/validity-13" "$part" 2>"$DIR/err"
	[ $? = "$status" ] || fail "$part: status"
	diff <(printf '%s\n' "$@") <(grep -E '^=========     came|SUMMARY' "$DIR/err") || fail "$part: findings differ"
}
findings none 0 '========= ERROR SUMMARY: 0 errors'
findings linear 3 '=========     came from alloc_2[132], which nobody has written' '========= ERROR SUMMARY: 1 errors'
# behind the first row's 40 bytes
findings rows 3 '=========     came from alloc_4[40], which nobody has written' '========= ERROR SUMMARY: 1 errors'
# back from the second of the host's findings to the first, and from that to where the memory came from; forwards both come again
for mode in functional performance; do
	printf '%s\n' 'set check-action stop' 'run twice' continue reverse-continue reverse-continue reverse-continue continue continue continue |
		"$WARPSTEP" -q -m $mode --check init --args "$DIR/validity-13" >"$DIR/out" 2>&1
	diff - <(grep -oE 'came from alloc_1\[[0-9]*\]|allocated before, and alloc_1\[[0-9]*\]|No more reverse|exited.*|SUMMARY.*' "$DIR/out") <<-'END' || fail "rc, $mode: $(cat "$DIR/out")"
		came from alloc_1[128]
		came from alloc_1[160]
		came from alloc_1[128]
		allocated before, and alloc_1[128]
		No more reverse
		came from alloc_1[128]
		came from alloc_1[160]
		exited normally]
		SUMMARY: 2 errors
	END
done
exit $bad
