#!/bin/bash
# A copy that is queued in a stream reads its source when its turn comes, if the source is memory that the device knows: all kinds of transfers, after host
# functions, kernels and events, in both modes, by path alone, and where the debugger can't reach the program's memory. Nothing of it is a race.
NVCC=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null) || { echo "nvcc is not installed"; exit 77; }
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"
"$NVCC" -arch=sm_75 -o "$DIR/turns" nvcc/turns.cu -Xlinker "$LIBRARIES/libcuda.so.1" -Xlinker --allow-shlib-undefined || exit 1
passes() { # WHAT COMMAND...
	got=$(timeout 120 "${@:2}" 2>"$DIR/err") || fail "$1: status $?: $(cat "$DIR/err")"
	[ "$got" = PASSED ] || fail "$1: $got"
}
for mode in functional performance; do
	passes $mode "$WARPSTEP" -m $mode --batch --args "$DIR/turns"
	passes "$mode, races" "$WARPSTEP" -m $mode --check race,init,memory --batch --args "$DIR/turns"
done
passes 'path alone' env WARPSTEP_ARGS='-m functional' LD_LIBRARY_PATH="$LIBRARIES" "$DIR/turns"
$CC -std=gnu17 -O1 -o "$DIR/denied" denied.c || exit 1
"$DIR/denied" true && passes 'memory out of reach' "$DIR/denied" "$WARPSTEP" -m functional --batch --args "$DIR/turns"
exit $bad
