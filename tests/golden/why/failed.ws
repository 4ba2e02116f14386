# status: 3
# args: -m functional ../../../examples/03-scan/scan.ptx
buffer in s32[64] = fill 1
buffer out s32[64] = zero
run scan<<<1, 64>>>(in, out)
why
why warp 0
why hang
why barrier
