#!/bin/bash
# The driver API's memory in rows, arrays, pointers, launches in steps.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"

for name in driver_areas; do
	$CC -std=gnu17 -O1 -Wall -o "$DIR/$name" $name.c -L"$LIBRARIES" -l:libcuda.so.1 -Wl,-rpath-link,"$LIBRARIES" || exit 1
	for mode in functional performance; do
		got=$(timeout 100 "$WARPSTEP" -m $mode --batch --args "$DIR/$name" 2>"$DIR/err") || fail "$name, $mode: status $?: $(cat "$DIR/err")"
		[ "$got" = PASSED ] || fail "$name, $mode: $got"
	done
done
grep -q "asks for the driver's private functions (cuGetExportTable)" "$DIR/err" || fail "cuGetExportTable: $(cat "$DIR/err")"
exit $bad
