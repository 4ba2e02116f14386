# args: -m performance -o '-gpgpu_independent_threads 0' waits.ptx
# status: 4
buffer C u32[8] = zero
# two barriers that wait for each other: nobody will ever run again, and that is said in the cycle in which it happens
run dead<<<1, 64>>>(C)
continue
# a launch clears it away; what then runs is as on a fresh machine (1051 cycles, without the dead kernel)
p $cycle
run count<<<1, 64>>>(C, 8)
p $cycle
p C[0..3]
# a lock that lanes of one warp want to have: found in the first interval without a finished block
set C[0] = 0
run lock<<<1, 64>>>(C)
p C[0]
kill
p $cycle
