#!/bin/bash
# The driver API's memory in rows, arrays, pointers, launches in steps; limits, pools, kinds of memory, managed variables.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"

for name in managed driver_graphs driver_virtual driver_areas; do
	$CC -std=gnu17 -O1 -Wall -o "$DIR/$name" $name.c -L"$LIBRARIES" -l:libcuda.so.1 -Wl,-rpath-link,"$LIBRARIES" || exit 1
	for mode in functional performance; do
		got=$(timeout 100 "$WARPSTEP" -m $mode --batch --args "$DIR/$name" 2>"$DIR/err") || fail "$name, $mode: status $?: $(cat "$DIR/err")"
		[ "$got" = PASSED ] || fail "$name, $mode: $got"
	done
done
grep -q "asks for the driver's private functions (cuGetExportTable)" "$DIR/err" || fail "cuGetExportTable: $(cat "$DIR/err")"

# what the driver API allocates is named by who called it
cat >"$DIR/callers.c" <<'END'
int cuInit(unsigned flags), cuCtxCreate_v2(void **c, unsigned flags, int device), cuMemAlloc_v2(void **p, unsigned long n);
int cuMemAllocManaged(void **p, unsigned long n, unsigned flags), cuModuleLoadData(void **module, const void *image);
static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }\n";
int main(void)
{
	void *p;
	return cuInit(0) || cuCtxCreate_v2(&p, 0, 0) || cuModuleLoadData(&p, ptx) || cuMemAlloc_v2(&p, 100) || cuMemAllocManaged(&p, 200, 1);
}
END
$CC -o "$DIR/callers" "$DIR/callers.c" -L"$LIBRARIES" -l:libcuda.so.1 -Wl,-rpath-link,"$LIBRARIES" || exit 1
"$WARPSTEP" -m functional --batch -ex run -ex 'info buffers' --args "$DIR/callers" >"$DIR/out" 2>&1 || fail "callers: $(cat "$DIR/out")"
[ "$(grep -Ec 'alloc_[12] .* main\+0x' "$DIR/out")" = 2 ] || fail "callers: $(cat "$DIR/out")"

# virtual memory at random, against a model
$CC -std=gnu17 -O1 -Wall -o "$DIR/virtual_random" virtual_random.c -L"$LIBRARIES" -l:libcuda.so.1 -Wl,-rpath-link,"$LIBRARIES" || exit 1
for seed in 1 2; do
	got=$(timeout 100 "$WARPSTEP" -m functional --batch --args "$DIR/virtual_random" $seed 700 2>"$DIR/err") || fail "random, $seed: status $?: $(cat "$DIR/err")"
	[ "$got" = PASSED ] || fail "random, $seed: $got"
done

# what was unmapped faults, by the name of the range; going back it is there again
for mode in functional performance; do
	timeout 100 "$WARPSTEP" -m $mode --batch -ex run -ex 'info buffers' -ex 'info allocations' -ex c --args "$DIR/driver_virtual" unmapped >"$DIR/out" 2>"$DIR/err"
	[ "$(cat "$DIR/out")" = '12, then 700' ] || fail "unmapped, $mode: $(cat "$DIR/out")"
	for what in 'is in reserved allocation alloc_1 \(0x[0-9a-f]+, 8388608 bytes\), made by [^,]*, which has no memory there now; lanes 0xffff0000' \
		'alloc_1 u8\[8388608\] 0x[0-9a-f]+ 8388608 virtual ' 'launched from launch\+0x' '2097152 live +alloc_1 +main\+0x[0-9a-f]+ +-$' '6291456 reserved +alloc_1 +main\+0x[0-9a-f]+ +-$'; do
		grep -Eq "$what" "$DIR/err" || fail "unmapped, $mode: no '$what' in $(cat "$DIR/err")"
	done
	timeout 100 "$WARPSTEP" -m $mode --batch -ex 'set history on' -ex 'run-to-launch 2' -ex 'info symbol 0x80200000' -ex 'goto-cycle 3' \
		-ex 'p ((u32*)alloc_1)[524288]' -ex 'info symbol 0x80200000' -ex 'goto-cycle 1000000' -ex 'info symbol 0x80200000' -ex c --args "$DIR/driver_virtual" unmapped >"$DIR/out" 2>"$DIR/err"
	[ "$(grep -E '^(\$1|alloc_1) ' "$DIR/err")" = 'alloc_1 + 2097152 in reserved addresses
$1 = 1
alloc_1 + 2097152 in buffer
alloc_1 + 2097152 in reserved addresses' ] || fail "back, $mode: $(cat "$DIR/err")"
	[ "$(cat "$DIR/out")" = '12, then 700' ] || fail "back, $mode: $(cat "$DIR/out")"
done

# so does a write to what may only be read, whichever instruction comes there: to the checker it is a finding
for mode in functional performance; do
	timeout 100 "$WARPSTEP" -m $mode --batch -ex run -ex 'info allocations' -ex c --args "$DIR/driver_virtual" read >"$DIR/out" 2>"$DIR/err"
	[ "$(cat "$DIR/out")" = '12, then 700' ] || fail "read-only, $mode: $(cat "$DIR/out")"
	for what in 'Invalid __global__ write of size 4 bytes by thread \(16,0,0\)' 'is 2097152 bytes before the end of allocation alloc_1 \(.*, which may only be read there; lanes 0xffff0000' \
		'2097152 live +alloc_1 +main\+0x[0-9a-f]+ +-$' '2097152 read-only +alloc_1 +main\+0x[0-9a-f]+ +-$'; do
		grep -Eq "$what" "$DIR/err" || fail "read-only, $mode: no '$what' in $(cat "$DIR/err")"
	done
	timeout 100 "$WARPSTEP" -q -m $mode --batch --check memory --args "$DIR/driver_virtual" read >"$DIR/out" 2>"$DIR/err"
	[ "$?,$(cat "$DIR/out")" = '3,12, then 0' ] || fail "checked, $mode: $(cat "$DIR/out")"
	grep -q 'is 0 bytes inside allocation alloc_1 (0x80200000, 2097152 bytes), which may only be read there' "$DIR/err" || fail "checked, $mode: $(cat "$DIR/err")"
done

$CC -std=gnu17 -O1 -Wall -o "$DIR/pools" pools.c -L"$LIBRARIES" -l:libcudart.so.13 -l:libcuda.so.1 -Wl,-rpath-link,"$LIBRARIES" || exit 1
got=$(timeout 100 "$WARPSTEP" -m functional --batch --args "$DIR/pools" 2>"$DIR/err") || fail "pools: status $?: $(cat "$DIR/err")"
[ "$got" = PASSED ] || fail "pools: $got"

# limits are the program's, and the next run's are new; kinds of memory
build_shared limits 13
got=$(timeout 100 "$WARPSTEP" -m functional --batch -ex run -ex 'info buffers' -ex run --args "$DIR/limits-13" 2>"$DIR/err") || fail "limits: status $?: $(cat "$DIR/err")"
[ "$got" = "block 0 says 1
PASSED
block 0 says 1
PASSED" ] || fail "limits: $got"
for kind in '100 device' '200 host' '300 managed'; do
	grep -Eq " u8\[${kind% *}\] 0x[0-9a-f]+ +$kind( |\$)" "$DIR/err" || fail "info buffers: no '$kind': $(cat "$DIR/err")"
done
exit $bad
