#!/bin/bash
# Streams that wait for words of memory, and write them, in both modes: who satisfies a wait, the comparisons, batches, graphs; a wait that nobody satisfies is a
# deadlock, or is interrupted; going back over them.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"

program=$DIR/stream_words
$CC -std=gnu17 -O1 -Wall -o "$program" stream_words.c -L"$LIBRARIES" -l:libcuda.so.1 -Wl,-rpath-link,"$LIBRARIES" || exit 1
for mode in functional performance; do
	for what in "" thread chain; do
		got=$(timeout 100 "$WARPSTEP" -m $mode --batch --args "$program" $what 2>"$DIR/err") || fail "$what, $mode: status $?: $(cat "$DIR/err")"
		[ "$got" = PASSED ] || fail "$what, $mode: $got"
	done
	got=$(timeout 100 "$WARPSTEP" -m $mode --batch -ex run -ex c --args "$program" never 2>"$DIR/err")
	[ "$?,$got" = 0,702 ] || fail "never, $mode: $got"
	grep -A 1 '^Deadlock: streams wait for memory, and nothing is left that would write it$' "$DIR/err" |
		grep -q '^  stream 1 waits until the 4 bytes at 0x80000004 (alloc_1 + 4) are >= 3; they are 0$' || fail "never, $mode: $(cat "$DIR/err")"
	timeout 100 "$WARPSTEP" -q -m $mode --batch -ex run -ex why --args "$program" never >"$DIR/out" 2>"$DIR/err"
	grep -A 1 '^No kernel runs:$' "$DIR/err" | grep -q '^  stream 1 waits until the 4 bytes at 0x80000004 (alloc_1 + 4) are >= 3; they are 0$' || fail "why, $mode: $(cat "$DIR/err")"
	timeout 100 "$WARPSTEP" -m $mode --batch -ex 'set history on' -ex 'run-to-launch scale#2' -ex 'p *(u32*)alloc_2' -ex 'goto-cycle 1' -ex 'p *(u32*)alloc_2' \
		-ex 'goto-cycle 10000000' -ex 'p *(u32*)alloc_2' --args "$program" chain >"$DIR/out" 2>"$DIR/err"
	[ "$?,$(cat "$DIR/out")" = 0,PASSED ] || fail "back, $mode: $(cat "$DIR/out" "$DIR/err")"
	[ "$(grep '^\$' "$DIR/err")" = '$1 = 22
$2 = 5
$3 = 44' ] || fail "back, $mode: $(cat "$DIR/err")"
done

# drawn at random, against a model
$CC -std=gnu17 -O1 -Wall -o "$DIR/words_random" words_random.c -L"$LIBRARIES" -l:libcuda.so.1 -Wl,-rpath-link,"$LIBRARIES" || exit 1
for job in 'functional 30' 'performance 5'; do
	set -- $job
	got=$(timeout 100 "$WARPSTEP" -m $1 --batch --args "$DIR/words_random" 1 $2 2>"$DIR/err") || fail "random, $1: status $?: $(cat "$DIR/err")"
	[ "$got" = done ] || fail "random, $1: $got"
done

coproc W { exec "$WARPSTEP" --batch -ex run --args "$program" mapped 2>"$DIR/err"; }
pid=$W_PID
read -r -t 60 line <&"${W[0]}"
[ "$line" = waiting ] || fail "mapped: $line $(cat "$DIR/err")"
sleep 0.1
kill -INT $pid
wait $pid
[ $? = 130 ] || fail "interrupted: $(cat "$DIR/err")"
grep -q '^Interrupted' "$DIR/err" || fail "interrupted: $(cat "$DIR/err")"
exit $bad
