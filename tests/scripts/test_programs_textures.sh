#!/bin/bash
# Texture and surface objects and references of both APIs: what calls return; a kernel that reads what isn't there stops, and the reason names it.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"

# each toolkit's layout of what describes objects
for runtime in 11.0 12 13; do
	build_shared textures $runtime
	got=$(timeout 60 "$WARPSTEP" -m functional --batch --args "$DIR/textures-$runtime" ${runtime%.0} 2>"$DIR/err") || fail "objects, $runtime: status $?: $(cat "$DIR/err")"
	[ "$got" = PASSED ] || fail "objects, $runtime: $got"
done

build_static references
build_shared references 11.0
for program in references-static references-11.0; do
	got=$(timeout 60 "$WARPSTEP" -m functional --batch --args "$DIR/$program" 2>"$DIR/err") || fail "$program: status $?: $(cat "$DIR/err")"
	[ "$got" = PASSED ] || fail "$program: $got"
done

$CC -std=gnu17 -O1 -Wall -o "$DIR/driver_references" driver_references.c -L"$LIBRARIES" -l:libcuda.so.1 -Wl,-rpath-link,"$LIBRARIES" || exit 1
got=$(timeout 60 "$WARPSTEP" -m functional --batch --args "$DIR/driver_references" 2>"$DIR/err") || fail "driver: status $?: $(cat "$DIR/err")"
[ "$got" = PASSED ] || fail "driver: $got"

# what only toolkits before 12 have
cat >"$DIR/old.c" <<'END'
int cudaThreadSetLimit(int, unsigned long), cudaThreadGetLimit(unsigned long *, int), cudaThreadSetCacheConfig(int), cudaThreadGetCacheConfig(int *);
int cudaSetDoubleForDevice(double *), cudaSetDoubleForHost(double *), cudaProfilerInitialize(const char *, const char *, int);
int cudaLaunchCooperativeKernelMultiDevice(void *, unsigned, unsigned);
int main(void)
{
	unsigned long stack = 0;
	double d = 1.5;
	int cache = 9, all = cudaThreadSetLimit(0, 4096) | cudaThreadGetLimit(&stack, 0) | cudaThreadSetCacheConfig(1) | cudaThreadGetCacheConfig(&cache) |
			   cudaSetDoubleForDevice(&d) | cudaSetDoubleForHost(&d) | cudaProfilerInitialize("", "", 0);
	return !(all == 0 && stack == 4096 && (cache == 0 || cache == 1) && d == 1.5 && cudaLaunchCooperativeKernelMultiDevice(0, 1, 0) == 801);
}
END
$CC -o "$DIR/old" "$DIR/old.c" -L"$LIBRARIES" -l:libcudart.so.11.0 -Wl,-rpath-link,"$LIBRARIES" || exit 1
"$WARPSTEP" --batch --args "$DIR/old" 2>"$DIR/err" || fail "old: status $?: $(cat "$DIR/err")"

# faults KERNEL LINE: it stops there with such a line; its program gets error 700. What reads well: test_programs_texture_reads.sh
faults() {
	timeout 60 "$WARPSTEP" -m $mode --batch -ex run -ex c --args "$DIR/references-11.0" "$1" >"$DIR/out" 2>"$DIR/err"
	[ "$(cat "$DIR/out")" = 700 ] || fail "$1, $mode: $(cat "$DIR/out")"
	grep -q '^CUDA Exception: Warp Illegal Address' "$DIR/err" || fail "$1, $mode: $(cat "$DIR/err")"
	grep -Eq "^$2\$" "$DIR/err" || fail "$1, $mode: no '$2' in $(cat "$DIR/err")"
}
for mode in functional performance; do
	faults freed 'Texture reference line is bound to 128 bytes into freed allocation alloc_2 \(0x[0-9a-f]+, 1024 bytes\).*'
	faults unbound 'Texture reference line is bound to nothing'
	faults none '%rd1 is 0x5, no texture object'
done
exit $bad
