#!/bin/bash
# Programs under --args: fixtures that need no toolkit, with a runtime of their own that has to be redirected, and linked to each of ours.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"

want='sums are right
hello from 0
hello from 1
hello from 2
after hello
freed twice: 1
wrong host pointer: 1
last error: invalid argument
then: no error'
build_static vecadd
for runtime in 11.0 12 13; do build_shared vecadd $runtime; done
for program in vecadd-static vecadd-11.0 vecadd-12 vecadd-13; do
	for mode in functional performance; do
		got=$("$WARPSTEP" -m $mode --batch --args "$DIR/$program" 2>"$DIR/err") || fail "$program, $mode: status $?: $(cat "$DIR/err")"
		[ "$got" = "$want" ] || fail "$program, $mode: $got"
		grep -q 'exited normally' "$DIR/err" || fail "$program, $mode: says $(cat "$DIR/err")"
	done
done

# a buffer that is too small: the exception stops, and is the status; the program gets it as an error, and its own status is no matter
got=$("$WARPSTEP" --batch --args "$DIR/vecadd-static" 900 2>"$DIR/err")
status=$?; [ $status = 3 ] || fail "exception: status $status"
[ "$got" = 'cudaDeviceSynchronize(): 700 an illegal memory access was encountered' ] || fail "exception: $got"
grep -q 'by thread (132,0,0) in block (3,0,0), uid 901' "$DIR/err" || fail "exception: $(cat "$DIR/err")"

# after c it is the program's
"$WARPSTEP" --batch -ex run -ex c --args "$DIR/vecadd-13" 900 >"$DIR/out" 2>"$DIR/err"
status=$?; [ $status = 9 ] || fail "c after an exception: status $status"

# a breakpoint before there is a module; arguments of run; the program again
"$WARPSTEP" --batch -ex 'b vecadd' -ex run -ex 'info threads' -ex 'run 1000' -ex 'bt' -ex 'delete' -ex c --args "$DIR/vecadd-13" 2000 >"$DIR/out" 2>"$DIR/err" ||
	fail "breakpoint: status $?: $(cat "$DIR/err")"
[ "$(grep -c 'Breakpoint 1, ' "$DIR/err")" = 2 ] || fail "breakpoint: $(cat "$DIR/err")"
grep -q 'sums are right' "$DIR/out" || fail "breakpoint: $(cat "$DIR/out")"

# no such program
"$WARPSTEP" --batch --args "$DIR/nothing" 2>"$DIR/err"
status=$?; [ $status = 1 ] || fail "no program: status $status"
grep -q "^error: can't start '.*nothing': No such file" "$DIR/err" || fail "no program: $(cat "$DIR/err")"
exit $bad
