#!/bin/bash
# Programs whose kernels launch kernels, print and fail an assertion: what reaches the program's own streams.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"

build_static kernels_launch
build_static asserts
want='launched
depth 0: thread 0, launched by 0
depth 0: thread 1, launched by 0
depth 1: thread 0, launched by 1
depth 1: thread 1, launched by 1
depth 2: thread 0, launched by 1
depth 2: thread 1, launched by 1
149760 15'
for mode in functional performance; do
	got=$("$WARPSTEP" -m $mode --batch --args "$DIR/kernels_launch-static" 2>"$DIR/err") || fail "$mode: status $?: $(cat "$DIR/err")"
	[ "$got" = "$want" ] || fail "$mode: $got"
done

# CUDA's lines are the program's own; the exception is the debugger's
"$WARPSTEP" --batch --args "$DIR/asserts-static" >"$DIR/out" 2>"$DIR/err"
[ $? = 3 ] || fail "assert: status"
[ "$(cat "$DIR/out")" = 710 ] || fail "assert: $(cat "$DIR/out")"
for thread in 30 31; do
	line="heap.cu:53: void check(int): block: [0,0,0], thread: [$thread,0,0] Assertion \`threadIdx.x < n && \"more threads than n\"\` failed."
	grep -qxF "$line" "$DIR/err" || fail "assert: no line of thread $thread: $(cat "$DIR/err")"
done
grep -q 'CUDA Exception: Warp Assert' "$DIR/err" || fail "assert: no exception"
exit $bad
