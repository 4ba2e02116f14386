# args: -m performance -o '-gpgpu_independent_threads 0' memory.ptx
# status: 4
# lanes 0 to 15 of warp 0 go round for ever: nobody sets C[1]. Lanes 16 to 31 and warp 1 have come to barrier 3, which counts 96 - 32 threads.
buffer C u32[64] = zero
launch late<<<1, 96>>>(C)
run-to-cycle 1500
why hang
why barrier
why barrier 3
why barrier 4
why warp 0
why warp 1
why warp 2
continue
why
why warp 0
# somebody sets it
set C[1] = 7
continue
