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

# memory and events that one lends to the other; handles of another device
build_shared ipc 13
for mode in functional performance; do
	for what in pass wrong; do
		timeout 100 "$WARPSTEP" -m $mode --batch -ex run -ex c --args "$DIR/ipc-13" $what >"$DIR/out" 2>"$DIR/err" </dev/null
		[ ! -s "$DIR/out" ] && grep -q 'exited normally' "$DIR/err" || fail "$mode ipc $what: $(cat "$DIR/out") $(cat "$DIR/err")"
	done
done
