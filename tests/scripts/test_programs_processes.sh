#!/bin/bash
# Programs of several processes: each has a context of its own on the device, in both modes.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"
build_shared processes 13
# MODE WHAT [ARG]...: a failing kernel of one is gone on from
run() {
	timeout 100 "$WARPSTEP" -m "$1" -o '-gpgpu_memory_size 1G' --batch -ex run -ex c --args "$DIR/processes-13" "${@:2}" >"$DIR/out" 2>"$DIR/err" </dev/null
}
for mode in functional performance; do
	for what in pointers end reset streams limits fault; do
		run $mode $what
		status=$?
		[ ! -s "$DIR/out" ] || fail "$mode $what: $(cat "$DIR/out") $(cat "$DIR/err")"
		case $what in
		fault | pointers) [ $status = 0 ] || fail "$mode $what: status $status: $(cat "$DIR/err")" ;;
		*) [[ $status = [01] ]] || fail "$mode $what: status $status: $(cat "$DIR/err")" ;;
		esac
		grep -q 'exited normally' "$DIR/err" || fail "$mode $what: $(cat "$DIR/err")"
	done
	grep -q 'CUDA Exception: Warp Illegal Address' "$DIR/err" || fail "$mode fault: $(cat "$DIR/err")"
	run $mode say "$DIR/one" "$DIR/two"
	[ "$(cat "$DIR/one") $(cat "$DIR/two")" = 'block 0 says 1 block 0 says 2' ] ||
		fail "$mode say: $(cat "$DIR/one") and $(cat "$DIR/two")"
done

# one comes while a kernel of the other one runs
$CC -std=gnu17 -O1 -Wall -o "$DIR/beside" beside.c -L"$LIBRARIES" -l:libcudart.so.13 -Wl,-rpath-link,"$LIBRARIES" -lpthread || exit 1
for mode in functional performance; do
	got=$(timeout 60 "$WARPSTEP" -m $mode --batch --args "$DIR/beside" 2>"$DIR/err" </dev/null) || fail "$mode, beside: status $?: $(cat "$DIR/err")"
	[ "$got" = PASSED ] || fail "$mode, beside: $got"
done

# memory and events that one lends to the other; handles of another device
build_shared ipc 13
for mode in functional performance; do
	for what in pass wrong; do
		timeout 100 "$WARPSTEP" -m $mode --batch -ex run -ex c --args "$DIR/ipc-13" $what >"$DIR/out" 2>"$DIR/err" </dev/null
		[ ! -s "$DIR/out" ] && grep -q 'exited normally' "$DIR/err" || fail "$mode ipc $what: $(cat "$DIR/out") $(cat "$DIR/err")"
	done
done

# pools, and what they have given, likewise; descriptors that were closed leave nothing behind
$CC -std=gnu17 -O1 -Wall -Wno-maybe-uninitialized -o "$DIR/pool_shares" pool_shares.c -L"$LIBRARIES" -l:libcudart.so.13 -l:libcuda.so.1 -Wl,-rpath-link,"$LIBRARIES" || exit 1
shares() {
	(ulimit -n 400; timeout 100 "$WARPSTEP" --batch "$@" >"$DIR/out" 2>"$DIR/err" </dev/null)
	grep -q 'exited normally' "$DIR/err" || fail "pool_shares $*: $(cat "$DIR/out") $(cat "$DIR/err")"
}
for mode in functional performance; do
	for what in pass wrong ordered here ended 'many 700'; do
		shares -m $mode -ex run -ex c --args "$DIR/pool_shares" $what
		[ ! -s "$DIR/out" ] || fail "$mode pool_shares $what: $(cat "$DIR/out")"
		[ "$what" != wrong ] || grep -q '^note: process [0-9]* has freed memory at 0x[0-9a-f]* that process [0-9]* has opened, and not closed$' "$DIR/err" ||
			fail "freed too early: $(cat "$DIR/err")"
		[ "$what" = wrong ] || ! grep -q '^note' "$DIR/err" || fail "freed in order: $(cat "$DIR/err")"
	done
done
shares -m functional --args "$DIR/pool_shares" many 3000 keep
[ "$(cat "$DIR/out")" = 'no more' ] || fail "descriptors that are kept: $(cat "$DIR/out")"
WARPSTEP_ARGS='-m functional' LD_LIBRARY_PATH=$LIBRARIES timeout 100 "$DIR/pool_shares" foreign >"$DIR/out" 2>&1 || fail "another debugger's: $(cat "$DIR/out")"
grep -q '^note: process [0-9]* has a handle of no process that is debugged here: one warpstep --args has to start all that share memory$' "$DIR/out" || fail "another debugger's: $(cat "$DIR/out")"

# physical memory of the driver API, each at an address of its own
$CC -std=gnu17 -O1 -Wall -o "$DIR/virtual_shares" virtual_shares.c -L"$LIBRARIES" -l:libcuda.so.1 -Wl,-rpath-link,"$LIBRARIES" || exit 1
for mode in functional performance; do
	for what in pass outlive here wrong many fault; do
		timeout 100 "$WARPSTEP" --batch -m $mode -ex run -ex c --args "$DIR/virtual_shares" $what >"$DIR/out" 2>"$DIR/err" </dev/null
		grep -q 'exited normally' "$DIR/err" && [ ! -s "$DIR/out" ] || fail "$mode virtual_shares $what: $(cat "$DIR/out" "$DIR/err")"
	done
	grep -Eq '^Address 0x80400000 is 2097152 bytes before the end of allocation alloc_2 \(0x80400000, 2097152 bytes\), made by map\+.*, which may only be read there; lanes' "$DIR/err" ||
		fail "$mode read only, of another process: $(cat "$DIR/err")"
done
WARPSTEP_ARGS='-m functional' LD_LIBRARY_PATH=$LIBRARIES timeout 100 "$DIR/virtual_shares" foreign >"$DIR/out" 2>&1 || fail "another debugger's physical memory: $(cat "$DIR/out")"

# whose is what: at a stop in a kernel of the child's, which uses memory of its parent that it has closed
timeout 100 "$WARPSTEP" -m functional --batch -ex run -ex 'info inferiors' -ex 'info launches' -ex 'info buffers' -ex c -ex 'info inferiors' --args "$DIR/ipc-13" pass >"$DIR/out" 2>"$DIR/err" </dev/null
child=$(sed -n 's/^\*  *2 process \([0-9]*\) *waits in a call .*ipc-13$/\1/p' "$DIR/err")
parent=$(sed -n 's/^  *1 process \([0-9]*\) *runs .*ipc-13$/\1/p' "$DIR/err")
[ -n "$child" ] && [ -n "$parent" ] || fail "info inferiors: $(cat "$DIR/err")"
grep -q "^Address .* allocation alloc_1 (.*), which is another process', made by pass_parent.* in process $parent; lanes" "$DIR/err" || fail "another process': $(cat "$DIR/err")"
grep -q "^Kernel 3 poke, launched from .* in process $child" "$DIR/err" || fail "launched from: $(cat "$DIR/err")"
[ "$(grep -cE "^\*? +[0-3] +(fill|poke) .* 0? *functional +[0-9-]+ +($parent|$child)$" "$DIR/err")" = 4 ] || fail "info launches: $(cat "$DIR/err")"
grep -q "alloc_1 .* device pass_parent.* in process $parent$" "$DIR/err" || fail "info buffers: $(cat "$DIR/err")"
[ "$(grep -c 'has ended' "$DIR/err")" = 2 ] || fail "has ended: $(cat "$DIR/err")"

# what each leaves behind, and `kill` ends them all
timeout 100 "$WARPSTEP" -m functional --batch --check memory -ex 'set check-leaks on' -ex run --args "$DIR/processes-13" reset >"$DIR/out" 2>"$DIR/err" </dev/null
grep -q 'Leaked 256 bytes' "$DIR/err" && grep -q 'allocated by filled.* in process [0-9]' "$DIR/err" || fail "leaks: $(cat "$DIR/err")"
timeout 100 "$WARPSTEP" -m functional --batch -ex 'b forever' -ex run -ex 'info inferiors' -ex kill --args "$DIR/processes-13" streams >"$DIR/out" 2>"$DIR/err" </dev/null
pids=$(sed -n 's/^[* ] *[0-9] process \([0-9]*\) .*/\1/p' "$DIR/err")
[ "$(echo "$pids" | wc -l)" -ge 2 ] || fail "kill: $(cat "$DIR/err")"
for pid in $pids; do
	for k in 1 2 3 4 5 6 7 8 9 10; do if kill -0 "$pid" 2>/dev/null; then sleep 0.1; fi; done
	if kill -0 "$pid" 2>/dev/null && ! grep -q '^State:.Z' "/proc/$pid/status"; then fail "kill: process $pid lives"; fi
done

# backwards over what two processes did, forwards to the same failure, and on; and back over a context that failed
for mode in functional performance; do
	timeout 100 "$WARPSTEP" -m $mode --batch -ex 'set history on' -ex run -ex 'p $cycle' -ex 'goto-cycle 1' -ex 'p ((int*)alloc_1)[3]' -ex c -ex 'p ((int*)alloc_1)[3]' -ex 'p $cycle' -ex c --args "$DIR/ipc-13" pass >"$DIR/out" 2>"$DIR/err" </dev/null || fail "$mode, back: $(cat "$DIR/err")"
	[ ! -s "$DIR/out" ] || fail "$mode, back: $(cat "$DIR/out")"
	read -r there then now again <<<"$(sed -n 's/^\$[0-9] = //p' "$DIR/err" | tr '\n' ' ')"
	[ "$then $now" = '0 33' ] && [ "$there" = "$again" ] || fail "$mode, back: $(cat "$DIR/err")"
	timeout 100 "$WARPSTEP" -m $mode --batch -ex 'set history on' -ex run -ex c -ex 'goto-cycle 1' --args "$DIR/processes-13" fault >"$DIR/out" 2>"$DIR/err" </dev/null || fail "$mode, over a failure: $(cat "$DIR/err")"
	grep -q '^Reached cycle 1$' "$DIR/err" || fail "$mode, over a failure: $(cat "$DIR/err")"
done
