#!/bin/bash
# The driver API's memory in rows, arrays, pointers, launches in steps; limits, kinds of memory, managed variables.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"

for name in managed driver_graphs driver_areas; do
	$CC -std=gnu17 -O1 -Wall -o "$DIR/$name" $name.c -L"$LIBRARIES" -l:libcuda.so.1 -Wl,-rpath-link,"$LIBRARIES" || exit 1
	for mode in functional performance; do
		got=$(timeout 100 "$WARPSTEP" -m $mode --batch --args "$DIR/$name" 2>"$DIR/err") || fail "$name, $mode: status $?: $(cat "$DIR/err")"
		[ "$got" = PASSED ] || fail "$name, $mode: $got"
	done
done
grep -q "asks for the driver's private functions (cuGetExportTable)" "$DIR/err" || fail "cuGetExportTable: $(cat "$DIR/err")"

# limits are the program's, and the next run's are new; kinds of memory
build_shared limits 13
got=$(timeout 100 "$WARPSTEP" -m functional --batch -ex run -ex 'info buffers' -ex run --args "$DIR/limits-13" 2>"$DIR/err") || fail "limits: status $?: $(cat "$DIR/err")"
[ "$got" = "PASSED
PASSED" ] || fail "limits: $got"
for kind in '100 device' '200 host' '300 managed'; do
	grep -Eq " u8\[${kind% *}\] 0x[0-9a-f]+ +$kind *\$" "$DIR/err" || fail "info buffers: no '$kind': $(cat "$DIR/err")"
done
exit $bad
