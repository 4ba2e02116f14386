# prompt
# args: -m performance inline.ptx
# cuda-gdb's tables with coordinates, of what isn't in focus
buffer out s32[192] = zero
info cuda threads block 0
info cuda kernels kernel 0
break inline.ptx:50
run frames<<<3, 64>>>(out)
info cuda threads
info cuda threads block 1
info cuda threads block (1,0,0) thread (3,0,0)
info cuda threads thread 40
info cuda threads kernel 0
info cuda threads kernel 1
info cuda threads current
info cuda blocks block 2
info cuda blocks kernel 0
info cuda warps
info cuda warps sm 2
info cuda warps sm 9
info cuda warps sm 99
info cuda warps block 2
info cuda lanes sm 2 warp 1
info cuda lanes sm 2
info cuda lanes sm 9
info cuda lanes warp 1
info cuda sms sm 2
info cuda sms sm 9
info cuda kernels kernel 0
info cuda kernels kernel 3
info cuda devices 3
info cuda threads nonsense
info cuda threads block 77
cuda
