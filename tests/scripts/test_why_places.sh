#!/bin/bash
# What `why warp` says of registers, pipeline registers, collector units and requests is what the dumps of the same cycle show, in the middle of the
# benchmark kernels on several machines: the register is on the scoreboard, the request in that queue of that sub-partition, behind those requests.
command -v python3 >/dev/null || { echo "there is no python3"; exit 77; }
kernels="load $ROOT/bench/kernels.ptx"
cat >vecadd.ws <<END
$kernels
buffer A f32[65536] = fill 0.5
buffer B f32[65536] = fill 2
buffer C f32[65536]
launch vecadd<<<512, 128>>>(C, A, B, 65536)
END
cat >histogram.ws <<END
$kernels
buffer D u8[65536] = iota 0 1
buffer H u32[256] = zero
launch histogram<<<64, 128>>>(H, D, 65536)
END
cat >mm_tiled.ws <<END
$kernels
buffer A f32[65536] = fill 0.5
buffer B f32[65536] = fill 2
buffer C f32[65536]
launch mm_tiled<<<(16,16), (16,16)>>>(C, A, B, 256)
END
bad=0
while read -r config session cycles; do
	python3 "$ROOT/tests/scripts/why_places.py" "$WARPSTEP" $config $session.ws $cycles || { echo "$config $session"; bad=1; }
done <<'END'
fermi-gtx480 vecadd 900 1500 2100
fermi-gtx480 mm_tiled 1348
v42-gtx480 histogram 1700 2826
gt200-quadrofx5800 vecadd 1500 3035
fermi-c2050 mm_tiled 2569
END
exit $bad
