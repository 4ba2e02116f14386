# args: -m functional ../performance/waits.ptx
# status: 4
# each of two warps waits at a barrier for the other one
buffer C u32[8] = zero
run dead<<<1, 64>>>(C)
why
why warp 1
why barrier 1
