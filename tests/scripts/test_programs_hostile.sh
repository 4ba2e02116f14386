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

# a disk without room for anything (in a mount namespace of its own; where that isn't allowed it is not tried): what can't be written is said, and the program goes on
build_shared vecadd 13
mkdir "$DIR/full"
cat >"$DIR/session" <<'END'
mount -t tmpfs -o size=16k none "$DIR/full" && cd "$DIR/full" || exit 0
dd if=/dev/zero of=all bs=1k count=64 2>/dev/null
export TMPDIR=$DIR/full HOME=$DIR/full
run() { timeout 60 "$WARPSTEP" -m performance --batch "$@" --args "$DIR/vecadd-13" >"$DIR/out" 2>"$DIR/err"; }
for command in 'checkpoint x.wsc' 'save alloc_1 x.bin' 'save breakpoints x.ws'; do
	run -ex 'b vecadd' -ex run -ex "$command"
	status=$?
	grep -q "^error: can't write 'x\..*: No space left on device" "$DIR/err" && [ $status = 1 ] || echo "full disk, $command: status $status: $(cat "$DIR/err")"
	grep -q '^sums are right' "$DIR/out" || echo "full disk, $command: $(cat "$DIR/out")"
done
run --check all --report x.json
status=$?
grep -q "^error: can't write 'x.json'" "$DIR/err" && [ $status = 3 ] || echo "full disk, report: status $status: $(cat "$DIR/err")"
WARPSTEP_ARGS='-m functional' LD_LIBRARY_PATH=$LIBRARIES timeout 60 "$DIR/vecadd-13" >"$DIR/out" 2>"$DIR/err" || echo "full disk, alone: $? $(cat "$DIR/err")"
END
if unshare -rm true 2>/dev/null; then
	got=$(DIR=$DIR LIBRARIES=$LIBRARIES unshare -rm bash "$DIR/session" 2>&1)
	[ -z "$got" ] || fail "$got"
fi
exit $bad
