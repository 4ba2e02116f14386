#!/bin/bash
# A CUDA program's machine in a file: written while the program lives, taken up without it; a module that was unloaded, a managed variable, ranges of addresses. No other machine
# for a program that lives; one that has ended may get one.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"
$CC -std=gnu17 -O1 -Wall -o "$DIR/checkpoint" checkpoint.c -L"$LIBRARIES" -l:libcuda.so.1 -Wl,-rpath-link,"$LIBRARIES" || exit 1
$CC -std=gnu17 -O1 -Wall -o "$DIR/driver_virtual" driver_virtual.c -L"$LIBRARIES" -l:libcuda.so.1 -Wl,-rpath-link,"$LIBRARIES" || exit 1
at() { # OPTION... -- COMMAND...
	local o=() args=()
	while [ "$1" != -- ]; do o+=("$1"); shift; done
	shift
	for c; do args+=(-ex "$c"); done
	timeout 100 "$WARPSTEP" -q --batch "${args[@]}" "${o[@]}" >"$DIR/out" 2>&1
	status=$?
}
says() { grep -Fqx -- "$1" "$DIR/out" || fail "$m, $2: no '$1' in $(cat "$DIR/out")"; }

for m in functional performance; do
	at -m $m --args "$DIR/checkpoint" -- 'run-to-launch 2' 'stepi 2' "checkpoint $DIR/a.wsc" 'p total[5]' c 'p total[5]' 'stats gpu_tot_sim_insn'
	[ $status = 0 ] || fail "$m: status $status, $(cat "$DIR/out")"
	says '$1 = 105' 'as it was'
	says '$2 = 110' 'at the end'
	insns=$(grep '^gpu_tot_sim_insn' "$DIR/out")

	at -c tiny -- "restore $DIR/a.wsc" 'p total[5]' c 'p total[5]' 'stats gpu_tot_sim_insn' 'info buffers'
	[ $status = 0 ] || fail "$m, restored: status $status, $(cat "$DIR/out")"
	says '$1 = 105' restored
	says 'Kernel 2 add finished' restored
	says '$2 = 110' 'restored, at the end'
	says "$insns" 'restored, at the end'

	at -m $m --args "$DIR/checkpoint" -- 'run-to-launch 1' "restore $DIR/a.wsc"
	[ $status = 1 ] || fail "$m, while it lives: status $status"
	says 'error: a program lives: it could not be told of another machine; `kill` ends it' 'while it lives'

	# after its end; and it can be run again
	at -m $m --args "$DIR/checkpoint" -- run "restore $DIR/a.wsc" 'p total[5]' c 'p total[5]' run
	says '$1 = 105' 'after its end'
	says '$2 = 110' 'after its end'
	[ $status = 0 ] && [ "$(grep -cx 110 "$DIR/out")" = 2 ] || fail "$m, again: status $status, $(cat "$DIR/out")"

	# ranges of addresses: what has memory there and what hasn't
	at -m $m --args "$DIR/driver_virtual" unmapped -- 'run-to-launch 2' "checkpoint $DIR/v.wsc"
	at -c tiny -- "restore $DIR/v.wsc" 'p ((u32*)alloc_1)[524287]' 'info symbol 0x80200000' c
	says '$1 = 12' 'a range'
	says 'alloc_1 + 2097152 in reserved addresses' 'a range'
	grep -q 'is in reserved allocation alloc_1 (0x80000000, 8388608 bytes)' "$DIR/out" || fail "$m, a range: $(cat "$DIR/out")"
done
exit $bad
