# args: -m performance ../../../examples/02-block-sum/block_sum.ptx
# As line-ahead.ws.
buffer in s32[256] = iota
buffer sums s32[2] = zero
break block_sum.cu:12
run block_sum<<<2, 128>>>(in, sums)
print %rd5
info access
print %rd5
run-to-access
print/x %rd5 == &in[0]
info access
run-to-access
info access
# the barrier at which the warp is about to arrive, which nobody waits at
run-to-barrier
why barrier
why barrier 3
stepi
why barrier
# another warp is about to arrive at it, and one has
focus thread (32,0,0)
run-to-barrier
why barrier
