# Clocks count instructions of the one warp; brkpt stops where it stands and lets go on; a guarded table jump diverges.
# args: -m functional
load clocks.ptx
buffer out u32[32] = zero
run clocks<<<1, 32>>>(out)
printf "%d %d %d %d %d %d %d\n", %rd2, %r1, %r2, %rd3, %r3, %r4, %r5
continue
p out[0..7]
assert out[31] == 103 && out[30] == 32 && out[29] == 21 && out[28] == 10
