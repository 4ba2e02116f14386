#!/bin/bash
# Programs that check by themselves what calls return: memory in rows, arrays, batches of copies, advice, attributes of streams, functions by name, what a program must not do.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"

for name in advice areas batches attributes hostile shared order; do
	build_shared $name 13
	for mode in functional performance; do
		got=$("$WARPSTEP" -m $mode --batch --args "$DIR/$name-13" 2>"$DIR/err") || fail "$name, $mode: status $?: $(cat "$DIR/err")"
		[ "$got" = PASSED ] || fail "$name, $mode: $got"
	done
done

# each toolkit's layout of the properties
for runtime in 11.0 12 13; do
	build_shared device $runtime
	got=$("$WARPSTEP" -m functional --batch --args "$DIR/device-$runtime" ${runtime%.0} 2>"$DIR/err") ||
		fail "device, $runtime: status $?: $(cat "$DIR/err")"
	[[ $got == *PASSED ]] || fail "device, $runtime: $got"
done

# both APIs together: contexts; launches with attributes, and what is for the thread's own default stream
for name in contexts ways; do
	$CC -std=gnu17 -O1 -Wall -o "$DIR/$name" $name.c -L"$LIBRARIES" -l:libcudart.so.13 -l:libcuda.so.1 -Wl,-rpath-link,"$LIBRARIES" || exit 1
	for mode in functional performance; do
		got=$("$WARPSTEP" -m $mode --batch --args "$DIR/$name" 2>"$DIR/err") || fail "$name, $mode: status $?: $(cat "$DIR/err")"
		[ "$got" = PASSED ] || fail "$name, $mode: $got"
	done
done

# less memory
got=$("$WARPSTEP" -m functional -o '-gpgpu_memory_size 2G' --batch --args "$DIR/hostile-13" 2>/dev/null)
[[ $got == *'n == 4 && error == out_of_memory'* ]] || fail "2G: $got"

# what isn't there says its name, once
cat >"$DIR/refused.c" <<'END'
int cudaEGLStreamConsumerConnect(void *, void *);
int main(void) { return cudaEGLStreamConsumerConnect(0, 0) + cudaEGLStreamConsumerConnect(0, 0) != 2 * 801; }
END
$CC -o "$DIR/refused" "$DIR/refused.c" -L"$LIBRARIES" -l:libcudart.so.13 -Wl,-rpath-link,"$LIBRARIES" || exit 1
"$WARPSTEP" --batch --args "$DIR/refused" 2>"$DIR/err" || fail "refused: status $?"
[ "$(grep -c 'warpstep: cudaEGLStreamConsumerConnect is not supported' "$DIR/err")" = 1 ] || fail "refused: $(cat "$DIR/err")"

# what a program is told of errors
$CC -std=gnu17 -O1 -Wall -o "$DIR/logs" logs.c -L"$LIBRARIES" -l:libcudart.so.13 -Wl,-rpath-link,"$LIBRARIES" || exit 1
got=$("$WARPSTEP" -m functional --batch --args "$DIR/logs" "$DIR/log" 2>"$DIR/err") || fail "logs: status $?: $(cat "$DIR/err")"
[ "$got" = PASSED ] || fail "logs: $got"
[ "$(cat "$DIR/log")" = 'cudaMalloc: invalid argument (1)' ] || fail "logs: $(cat "$DIR/log")"

# the profiler's calls succeed
cat >"$DIR/profiler.c" <<'END'
int cudaProfilerStart(void), cudaProfilerStop(void);
int main(void) { return cudaProfilerStart() | cudaProfilerStop(); }
END
$CC -o "$DIR/profiler" "$DIR/profiler.c" -L"$LIBRARIES" -l:libcudart.so.13 -Wl,-rpath-link,"$LIBRARIES" || exit 1
"$WARPSTEP" --batch --args "$DIR/profiler" 2>"$DIR/err" || fail "profiler: status $?: $(cat "$DIR/err")"

# from Python, by the driver API
if python=$(command -v python3); then
	got=$("$WARPSTEP" -m functional --batch --args "$python" driver_client.py kernels.ptx 2>"$DIR/err") || fail "python: status $?: $(cat "$DIR/err")"
	[ "$got" = right ] || fail "python: $got"
fi
exit $bad
