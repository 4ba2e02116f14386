#!/bin/bash
# What programs live in: sandboxes that let nobody reach their memory, sanitizers, ranks side by side.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"

# the debugger may not reach the program's memory: the waiting thread moves the bytes
$CC -std=gnu17 -O1 -o "$DIR/denied" denied.c || exit 1
if "$DIR/denied" true; then
	for name in vecadd hostile areas shared modules; do
		build_shared $name 13
		timeout 60 "$DIR/denied" "$WARPSTEP" -m functional --batch --args "$DIR/$name-13" >"$DIR/out" 2>"$DIR/err" || fail "denied, $name: status $?: $(cat "$DIR/out" "$DIR/err")"
		timeout 60 "$WARPSTEP" -m functional --batch --args "$DIR/$name-13" >"$DIR/want" 2>/dev/null
		cmp -s "$DIR/want" "$DIR/out" || fail "denied, $name: $(diff "$DIR/want" "$DIR/out")"
	done
fi

# a program with gcc's address sanitizer, which looks for leaks at the end
L=(-L"$LIBRARIES" -l:libcudart.so.13 -Wl,-rpath-link,"$LIBRARIES" -lpthread)
if $CC -std=gnu17 -g -O1 -Wno-maybe-uninitialized -fsanitize=address -o "$DIR/sanitized" harsh.c "${L[@]}" 2>/dev/null && ASAN_OPTIONS='' "$DIR/denied" true; then
	for what in use handles storm; do
		got=$(ASAN_OPTIONS='' timeout 60 "$WARPSTEP" -m functional --batch --args "$DIR/sanitized" $what 2>"$DIR/err") || fail "sanitizer, $what: status $?: $(cat "$DIR/err")"
	done
	# page-locked memory would lie where the sanitizer's own does: an error
	got=$(ASAN_OPTIONS='' timeout 60 "$WARPSTEP" -m functional --batch --args "$DIR/sanitized" locked 2>"$DIR/err")
	[ "$got" = 'locked 2
PASSED' ] || fail "sanitizer, locked: $got $(cat "$DIR/err")"
fi
build_shared harsh 13
got=$("$WARPSTEP" -m functional --batch --args "$DIR/harsh-13" locked 2>"$DIR/err")
[[ $got == 'locked 0'* ]] || fail "locked: $got"

# two ranks side by side, each with a machine and an output of its own
for rank in 0 1; do
	timeout 60 "$WARPSTEP" -m functional --batch --args "$DIR/vecadd-13" $((1000 + rank)) >"$DIR/rank$rank" 2>/dev/null &
	pids[rank]=$!
done
for rank in 0 1; do
	wait ${pids[rank]} || fail "rank $rank: status $?"
	[ "$(head -1 "$DIR/rank$rank")" = 'sums are right' ] || fail "rank $rank: $(cat "$DIR/rank$rank")"
done

# a gdb on a program that was started by path alone: both end with it
if command -v gdb >/dev/null; then
	WARPSTEP_ARGS='-m functional -g 127.0.0.1:0' LD_LIBRARY_PATH=$LIBRARIES timeout 30 "$DIR/vecadd-13" >"$DIR/out" 2>"$DIR/err" &
	program=$!
	for ((k = 0; k < 100; k++)); do
		port=$(sed -n 's/.*:\([0-9][0-9]*\)[^0-9]*$/\1/p' "$DIR/err" | head -1)
		[ -n "$port" ] && break
		sleep 0.1
	done
	timeout 30 gdb -q -nx -batch -ex 'set confirm off' -ex 'set pagination off' -ex 'set breakpoint pending on' -ex 'set print thread-events off' \
		-ex "target remote 127.0.0.1:$port" -ex 'break vecadd' -ex continue -ex delete -ex continue >"$DIR/got" 2>&1 </dev/null
	grep -q 'hit Breakpoint 1, vecadd' "$DIR/got" || fail "gdb by path alone: $(cat "$DIR/got" "$DIR/err")"
	wait $program || fail "gdb by path alone: status $?: $(cat "$DIR/got")"
	grep -q 'sums are right' "$DIR/out" || fail "gdb by path alone: $(cat "$DIR/out")"
fi
exit $bad
