# Every block adds up 128 ones; both sums should be 128.
load block_sum.ptx
buffer in s32[256] = fill 1
buffer sums s32[2] = zero
run block_sum<<<2, 128>>>(in, sums)
print sums[0..1]
# Exactly half is missing. Stop at the first addition and look at what it is about to add:
tbreak block_sum.cu:17
run
print %r18
print shared[0]
print shared[0x100]
# Thread 0 is going to add tile[64], which lies at 0x100, and it is still 0. Where is the thread that should have stored it?
focus thread (64,0,0)
info line
# At the kernel's entry: thread 64's warp has not run yet, and nothing made thread 0 wait for it. There has to be a
# __syncthreads() between the store in line 12 and the loop.
list block_sum.cu:12,16
