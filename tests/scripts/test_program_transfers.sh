#!/bin/bash
# The time of copies in performance mode: 600000 bytes at the link's rate, one copy at a time in each direction, kernels beside them; within the device
# 1200000 bytes at the 177.4 GB/s of a GTX480's DRAM (6 controllers of 2 chips with 4 bytes at 924 MHz, 4 words a cycle). Kernels take no more cycles for it.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"
build_static transfers
run() { "$WARPSTEP" -o "-gpgpu_copy_bandwidth $1" --batch -ex run -ex 'stats gpu_tot_sim_cycle' --args "$DIR/transfers-static" >"$DIR/$1" 2>"$DIR/err" || fail "$1: $(cat "$DIR/err")"; grep gpu_tot_sim_cycle "$DIR/err" >"$DIR/cycles-$1"; }
near() { awk -v what="$2" -v wanted="$3" 'index($0, what " ") == 1 { got = $NF; n++ } END { if (n != 1 || got < wanted - 0.2 || got > wanted + 0.2) { print what ": " got ", wanted " wanted; exit 1 } }' "$DIR/$1" || bad=1; }

for rate in 6000 12000 0; do
	run $rate
	one=$(awk -v r=$rate 'BEGIN { print r ? 600000 / r : 0 }') two=$(awk -v r=$rate 'BEGIN { print r ? 1200000 / r : 0 }')
	kernel=$(sed -n 's/^kernel //p' "$DIR/$rate")
	awk -v k="$kernel" 'BEGIN { exit !(k > 1 && k < 40) }' || fail "a kernel of $kernel us isn't shorter than a copy"
	near $rate nothing 0
	for what in to from 'waited for' 'both ways'; do near $rate "$what" $one; done
	near $rate within "$(awk -v r=$rate 'BEGIN { print r ? 1200000 / 177408 : 0 }')"
	near $rate 'one way' $two
	near $rate 'after a kernel' "$(awk -v a="$kernel" -v b=$one 'BEGIN { print a + b }')"
	[ $rate = 0 ] && near $rate 'beside a kernel' "$kernel" || near $rate 'beside a kernel' $one
	[ "$(tail -1 "$DIR/$rate")" = 10 ] || fail "$rate: the bytes are others: $(tail -1 "$DIR/$rate")"
done
[ -s "$DIR/cycles-0" ] && cmp -s "$DIR/cycles-0" "$DIR/cycles-6000" || fail "kernels take other cycles: $(cat "$DIR"/cycles-*)"
exit $bad
