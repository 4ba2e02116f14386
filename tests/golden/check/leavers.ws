# args: -q -m functional --check sync leavers.ptx
# status: 3
# lanes that a mask names and that pass the instruction by on a way that also holds an early return: with the mistake, then mended
buffer o s32[64] = zero
run above<<<1, 32>>>(o, 24, 0)
run below<<<1, 32>>>(o, 8, 0)
run called<<<1, 32>>>(o, 8, 0)
run vote<<<1, 32>>>(o, 8, 0)
run match<<<1, 32>>>(o, 8, 0)
run later<<<1, 32>>>(o, 8, 0)
assert $_findings == 6
run above<<<1, 32>>>(o, 24, 1)
run below<<<1, 32>>>(o, 8, 1)
run called<<<1, 32>>>(o, 8, 1)
run vote<<<1, 32>>>(o, 8, 1)
run match<<<1, 32>>>(o, 8, 1)
run later<<<1, 32>>>(o, 8, 1)
# ways that only lead out
run legal<<<1, 32>>>(o, 28)
run loop<<<1, 32>>>(o)
assert $_findings == 6
