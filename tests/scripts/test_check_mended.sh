#!/bin/bash
# The examples without their mistakes: with all checkers on nothing is found, in both modes, and the results are right. Where the mistake is in a
# kernel tests/mended has what mends it, NAME.diff, and NAME.ptx (of the patched file: nvcc -arch=sm_75 -ptx -lineinfo, folders taken out); where it
# is in what the host does, it is mended here.
cd "$(dirname "$0")/../mended" || exit 2
W=${WARPSTEP:-$PWD/../../build/${MODE:-release}/warpstep}
case $W in /*) ;; *) W=$PWD/$W ;; esac
out=$(mktemp)
trap 'rm -f "$out"' EXIT
bad=0
clean() { # PTX RESULT CONDITION LINE...
	local ptx=$1 result=$2 condition=$3 line mode commands=()
	shift 3
	for line in "$@" "save $result /dev/null" "assert $condition"; do commands+=(-ex "$line"); done
	for mode in functional performance; do
		"$W" --batch -q -m $mode --check all "$ptx" "${commands[@]}" >"$out" 2>&1 && [ "$(tail -n 1 "$out")" = '========= ERROR SUMMARY: 0 errors' ] ||
			{ echo "$ptx, $mode:"; cat "$out"; bad=1; }
	done
}
E=../../examples
if command -v patch >/dev/null; then
	for mend in *.diff; do patch -s -r - -o "$out" $E/*/"${mend%.diff}.cu" "$mend" || { echo "$mend doesn't fit the example"; bad=1; }; done
fi
clean saxpy.ptx z 'z[0] == 1 && z[199] == 399' 'buffer x f32[256] = iota' 'buffer y f32[256] = fill 1' 'buffer z f32[200] = zero' \
	'run saxpy<<<4, 64>>>(200, 2.0, x, y, z)'
clean block_sum.ptx sums 'sums[0] == 128 && sums[1] == 128' 'buffer in s32[256] = fill 1' 'buffer sums s32[2]' 'run block_sum<<<2, 128>>>(in, sums)'
clean scan.ptx out 'out[0] == 1 && out[1] == 2 && out[63] == 64' 'buffer in s32[64] = fill 1' 'buffer out s32[64]' 'run scan<<<1, 64>>>(in, out)'
clean histogram.ptx bins 'bins[0] == 8 && bins[65] == 8 && bins[127] == 8' 'buffer data u8[1024] = iota 0 5' 'buffer bins u32[128] = zero' \
	'run histogram<<<4, 64>>>(1024, data, bins)'
clean $E/05-row-sums/row_sums.ptx sums 'sums[0] == 28 && sums[23] == 28' 'buffer m f32[768] = fill 1' 'buffer sums f32[24]' \
	'run row_sums<<<1, 32>>>(24, 28, 32, m, sums)'
clean resample.ptx out 'out[0] == in[0]' 'buffer in s16[33100] = random 1 -1000 1000' 'buffer out s16[36000]' 'run resample<<<282, 128>>>(36000, 60211, in, out)'
clean deposit.ptx balance 'balance[0] == 320 && lock[0] == 0' 'buffer lock s32[1] = zero' 'buffer balance s32[1] = zero' 'buffer amounts s32[64] = fill 5' \
	'run deposit<<<1, 64>>>(lock, balance, amounts)'
clean particles.ptx vx 'vx[5] == vx[5] && vx[17] == vx[17]' 'buffer x f32[24] = random 1 0 10' 'buffer y f32[24] = random 2 0 10' 'buffer vx f32[24] = zero' \
	'buffer vy f32[24] = zero' 'set x[17] = x[5]' 'set y[17] = y[5]' 'run push<<<1, 32>>>(24, 0.01, x, y, vx, vy)'
clean $E/09-tone-map/tone_map.ptx out 'out[1] == 0.8f && out[999] > 0.999' 'buffer in f32[1000] = iota' 'buffer out f32[1000]' \
	'run tone_map<<<8, 128>>>({f32 4.0, s32 1000}, in, out)'
clean $E/10-tree/tree.ptx sums 'sums[0] == 150 && sums[1] == 110 && sums[3] == 40' \
	'buffer nodes s32[15] = {10,1,2, 20,3,4, 30,-1,-1, 40,-1,-1, 50,-1,-1}' 'buffer starts s32[4] = {0, 1, 2, 3}' 'buffer sums s32[4]' \
	'run tree_sums<<<1, 4>>>(nodes, starts, sums)'
exit $bad
