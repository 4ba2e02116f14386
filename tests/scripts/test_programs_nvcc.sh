#!/bin/bash
# Programs as nvcc builds them: three units of linked device code, two targets compressed in each way, a graph with a condition,
# machine code alone; a runtime without symbols.
NVCC=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null) || { echo "nvcc is not installed"; exit 77; }
cd "$ROOT/tests/programs/nvcc" || exit 1
. "$ROOT/tests/lib/programs"
run() { "$WARPSTEP" -m functional --batch "${@:2}" --args "$DIR/$1" 2>"$DIR/err"; }

# (host: plus(twice(10)) * 3 + 1000; then 21 + 5 + 100 for each of the two calls of that unit's counter)
"$NVCC" -rdc=true -gencode arch=compute_75,code=compute_75 -o "$DIR/linked" main.cu functions.cu variables.cu || exit 1
got=$(run linked) || fail "linked: status $?: $(cat "$DIR/err")"
[ "$got" = 'first: 1063
second: 226, calls 1: no error' ] || fail "linked: $got"

# the highest target that the device has, else the lowest
for mode in none speed size; do
	"$NVCC" --compress-mode=$mode -gencode arch=compute_75,code=compute_75 -gencode arch=compute_90,code=compute_90 -o "$DIR/targets" targets.cu ||
		exit 1
	got=$(run targets; run targets -o '-gpgpu_compute_capability_major 8'; run targets -o '-gpgpu_compute_capability_major 9')
	[ "$got" = '900: no error
750: no error
900: no error' ] || fail "$mode: $got $(cat "$DIR/err")"
done

"$NVCC" -rdc=true -gencode arch=compute_75,code=compute_75 -o "$DIR/conditions" conditions.cu || exit 1
got=$(run conditions)
[ "$got" = '5 steps, 0 left: no error' ] || fail "conditions: $got $(cat "$DIR/err")"

"$NVCC" -gencode arch=compute_75,code=sm_75 -o "$DIR/machine" targets.cu || exit 1
got=$(run machine)
[ "$got" = '0: no kernel image is available for execution on the device' ] || fail "machine code: $got"
grep -q '^error: no PTX for target(int\*): .* -arch=sm_75 ' "$DIR/err" || fail "machine code: says $(cat "$DIR/err")"

# the runtime that is in a stripped program can't be replaced: one line, and the error that CUDA has without a driver
"$NVCC" -arch=sm_75 -o "$DIR/whole" targets.cu && strip -o "$DIR/stripped" "$DIR/whole" || exit 1
got=$(run stripped)
[ "$got" = '0: CUDA driver version is insufficient for CUDA runtime version' ] || fail "stripped: $got"
[ "$(grep -c '^warpstep: ' "$DIR/err")" = 1 ] && grep -q 'no symbols: link it without -s' "$DIR/err" || fail "stripped: says $(cat "$DIR/err")"
# a __constant__ variable by its address
"$NVCC" -arch=sm_75 -o "$DIR/constants" constants.cu || exit 1
for mode in functional performance; do
	got=$("$WARPSTEP" -m $mode --batch --check race,init --args "$DIR/constants" 2>"$DIR/err") || fail "constants, $mode: status $?: $(cat "$DIR/err")"
	[ "$got" = 'sum of one: 11 12 13 14, error 0
sum of the other: 101 102 103 104, error 0
mixed: 10 2 30 4, error 0
vector: 10 20 30 40, error 0
filled: 0 0 30 40, error 0
copied: 1 2 3 4, error 0
errors: 0' ] || fail "constants, $mode: $got"
	got=$("$WARPSTEP" -m $mode --batch -ex run -ex c --args "$DIR/constants" write 2>"$DIR/err" | tail -1)
	[ "$got" = 'written: an illegal memory access was encountered' ] || fail "constants, written, $mode: $got"
	grep -q '^Address 0x4000010 is in constant memory (variable other), which kernels can only read;' "$DIR/err" || fail "constants, written, $mode: $(cat "$DIR/err")"
done
exit $bad
