#!/bin/bash
# Hostile programs: handles that were given back, and garbage written to the channel beside calls that make sense.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"

$CC -std=gnu17 -O1 -Wall -Wno-maybe-uninitialized -I"$ROOT/src" -o "$DIR/garbage" garbage.c -L"$LIBRARIES" -l:libcudart.so.13 -Wl,-rpath-link,"$LIBRARIES" || exit 1
for seed in 1 2 3; do
	for mode in functional performance; do
		got=$(timeout 60 "$WARPSTEP" -m $mode --batch --args "$DIR/garbage" $seed 2>"$DIR/err")
		status=$? # 3, 4: what it happened to launch failed
		[[ $status =~ ^[034]$ && $got == PASSED ]] || fail "garbage $seed, $mode: status $status: $got $(cat "$DIR/err")"
	done
done
$CC -std=gnu17 -O1 -Wall -o "$DIR/freed" freed.c -L"$LIBRARIES" -l:libcudart.so.13 -l:libcuda.so.1 -Wl,-rpath-link,"$LIBRARIES" || exit 1
for mode in functional performance; do
	got=$(timeout 60 "$WARPSTEP" -m $mode --batch --args "$DIR/freed" 2>"$DIR/err") || fail "freed, $mode: status $?: $(cat "$DIR/err")"
	[ "$got" = PASSED ] || fail "freed, $mode: $got"
done
exit $bad
