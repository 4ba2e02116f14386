# args: -m performance -c v42-gtx480 ways.ptx
# status: 4
# The config's compute capability, 2.0, decides, whatever the kernel is for.
buffer L u32[4] = zero
buffer sum s32[4] = zero
run lock_while<<<1, 32>>>(L, sum, 1)
