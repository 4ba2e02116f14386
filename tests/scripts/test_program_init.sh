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
exit $bad
