# args: -q -m functional heap.ptx
# status: 3
# 65536 / 1008 = 65 pieces, 65536 / 16 = 4096, and 8 of 1 MiB in what CUDA gives by default
buffer O s32[32] = zero
run pieces<<<1, 1>>>(O, 1048576)
print O[0..1]
set malloc-heap-size 65536
run pieces<<<1, 1>>>(O, 1000)
print O[0..1]
run pieces<<<1, 1>>>(O, 16)
print O[0..1]
run pieces<<<1, 1>>>(O, 65537)
print O[0..1]
run wide<<<1, 32>>>(O)
assert O[0] == 0 && O[31] == 0
run twice<<<1, 1>>>()
run inside<<<1, 1>>>()
run hosts<<<1, 1>>>(O)
run check<<<(2,1), (4,4)>>>(3)
info limits
