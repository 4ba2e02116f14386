# prompt
# args: -m functional memory.ptx
why
why hang
why barrier
why barrier x
why barrier 16
why barrier 1 2
why warp x
why warp 64
why warp 0 core
why warp 0 core 99
why warp 0 x
why request 1
why hang now
why nothing
buffer C u32[64] = zero
launch late<<<100, 96>>>(C)
why
why warp 0
why warp 7
focus block (99,0,0)
why
why barrier
