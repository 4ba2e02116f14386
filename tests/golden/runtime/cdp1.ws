# args: -q -m functional cdp1.ptx
# 1 + 2 + ... + 11; the depth to which kernels wait is a limit
buffer A s32[11] = iota 1
buffer O s32[2] = zero
set launch-sync-depth 8
run sum<<<1, 2>>>(A, 11, O)
print O[0]
set launch-sync-depth 0
run errors<<<1, 1>>>(O)
print O[0..1]
