# args: -m performance
# Every shape and type of <mma.h> as nvcc compiles it, in performance mode.
load wmma.ptx
buffer bad u32[64] = zero
buffer done u32[1] = zero
buffer memory b8[65536]
run in_global<<<1, 32>>>(bad, done, memory)
print done[0]
print bad[0..63]
run in_shared<<<1, 32>>>(bad, done)
print bad[0..63]
