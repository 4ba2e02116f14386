#!/bin/bash
# Under `ulimit -v` and `ulimit -f` smaller reservations are tried, also for programs; where none is small enough, the error names the limit.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"
kernel=$ROOT/tests/gdb/lanes.ptx
# address sanitizers and the like reserve terabytes
(ulimit -v 60000000 && "$WARPSTEP" --version >/dev/null 2>&1) || { echo "this build doesn't run with ulimit -v"; exit 77; }

under() { # LIMIT... COMMAND...: with `ulimit LIMIT`; the output in $DIR/out
	(ulimit "$1" "$2" && timeout 100 "${@:3}") >"$DIR/out" 2>&1 </dev/null
}
says() { grep -qE -- "$1" "$DIR/out" || fail "$2: no '$1' in: $(head -c 600 "$DIR/out")"; }
for mode in functional performance; do
	session=(-q --batch -m $mode "$kernel" -ex 'set history on' -ex 'buffer A f32[256] = zero' -ex 'launch lanes<<<2,64>>>(A, 5)'
		-ex 'stepi 3' -ex 'rsi' -ex 'print $pc' -ex continue -ex 'print A[3]')
	under -v unlimited "$WARPSTEP" "${session[@]}" || fail "$mode: status $?: $(cat "$DIR/out")"
	says '^\$2 = ' "$mode"
	cp "$DIR/out" "$DIR/unlimited"
	grep -q note "$DIR/unlimited" && fail "$mode: a note without a limit"
	for limit in 60000000 12000000 4000000; do
		under -v $limit "$WARPSTEP" "${session[@]}" || fail "$mode, ulimit -v $limit: status $?: $(cat "$DIR/out")"
		says "^note: device memory ends at 0x[0-9a-f]*: .ulimit -v. is $limit KB$" "$mode, ulimit -v $limit"
		diff "$DIR/unlimited" <(grep -v '^note: device memory ends' "$DIR/out") || fail "$mode, ulimit -v $limit: another session"
	done
	under -v 800000 "$WARPSTEP" "${session[@]}"
	[ $? = 1 ] || fail "$mode, ulimit -v 800000: $(cat "$DIR/out")"
	says '^error: .*: .ulimit -v. is 800000 KB$' "$mode, ulimit -v 800000"
done
# between what a machine and what its history needs, the note says so, and a command that goes back does
need=$(for limit in 2400000 2000000 1700000 1600000 1500000 1400000 1300000 1200000; do
	under -v $limit "$WARPSTEP" -q --batch "$kernel" && sed -n 's/^note: going back in time may need \([0-9]*\) KB.*/\1/p' "$DIR/out"
done | sort -n | tail -1)
[ -n "$need" ] || fail "no limit at which the history has no room"
session=(-q --batch -m functional "$kernel" -ex 'set history on' -ex 'buffer A f32[256] = zero' -ex 'launch lanes<<<2,64>>>(A, 5)' -ex 'stepi 3')
under -v 1500000 "$WARPSTEP" "${session[@]}" -ex rsi
[ $? = 1 ] || fail "ulimit -v 1500000: $(cat "$DIR/out")"
says "^note: going back in time may need [0-9]* KB of address space: .ulimit -v. is 1500000 KB$" "ulimit -v 1500000"
says "^error: nothing was recorded: there is no address space for it: .ulimit -v. is 1500000 KB$" "ulimit -v 1500000"
# what the note says is enough
under -v $((need + 20000)) "$WARPSTEP" "${session[@]}" -ex rsi || fail "ulimit -v $((need + 20000)): $(cat "$DIR/out")"
grep -q 'going back' "$DIR/out" && fail "ulimit -v $((need + 20000)): $(cat "$DIR/out")"
# a kernel at the prompt shares no memory
under -f 1000 "$WARPSTEP" "${session[@]}" || fail "a kernel, ulimit -f 1000: status $?: $(cat "$DIR/out")"
grep -q 'ulimit -f' "$DIR/out" && fail "a kernel, ulimit -f 1000: $(cat "$DIR/out")"

$CC -std=gnu17 -O1 -Wno-maybe-uninitialized -DFIXTURE_STATIC -o "$DIR/program" vecadd.c -Wl,--no-as-needed -lgcc_s || exit 1
export WARPSTEP_ARGS='-m functional'
for limit in '-f 600000' '-f 5000000' '-v 4000000' '-v 60000000'; do
	under $limit "$WARPSTEP" --batch --args "$DIR/program" || fail "a program, ulimit $limit: status $?: $(cat "$DIR/out")"
	says '^sums are right$' "a program, ulimit $limit"
	says "^note: device memory ends at 0x[0-9a-f]*: .ulimit ${limit%% *}. is ${limit##* } KB$" "a program, ulimit $limit"
	under $limit env LD_LIBRARY_PATH="$LIBRARIES" "$DIR/program" || fail "by path alone, ulimit $limit: status $?: $(cat "$DIR/out")"
	says '^sums are right$' "by path alone, ulimit $limit"
done
for limit in '-f 1000' '-v 800000'; do
	under $limit "$WARPSTEP" --batch --args "$DIR/program"
	[ $? = 1 ] || fail "a program, ulimit $limit: $(cat "$DIR/out")"
	says "^error: .*: .ulimit ${limit%% *}. is ${limit##* } KB$" "a program, ulimit $limit"
done
exit $bad
