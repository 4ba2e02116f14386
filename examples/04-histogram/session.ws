# 1024 bytes, every value equally often: each of the 128 bins should hold 8.
load histogram.ptx
buffer data u8[1024] = iota 0 5
buffer bins u32[128] = zero
launch histogram<<<4, 64>>>(1024, data, bins)
# On a GPU the bins from 64 on are wrong. All are counted in shared memory first. Who touches the first count of block 0?
awatch shared[0]
continue
# Line 15 sets it to zero before anything is counted, as it should be. And count 65, which lies at 0x104?
delete
awatch shared[0x104]
continue
# The first to touch it is the atomicAdd, and nobody set it to zero: line 14 was written for blocks of at least 128 threads.
# On the simulator shared memory happens to begin as zeros, on a GPU it holds what the block before left there.
print %ntid.x
list histogram.cu:14,16
