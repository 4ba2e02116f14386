# args: -q -m performance -c tiny --check sync passers.ptx
# status: 3
# lanes that a mask names and that pass the instruction by: each kernel with the mistake, then mended
buffer o s32[64] = zero
run half<<<1, 32>>>(o, 0)
run around<<<1, 32>>>(o, 0)
run loops<<<1, 32>>>(o, 0)
run parted<<<1, 32>>>(o, 0)
assert $_findings == 4
run half<<<1, 32>>>(o, 1)
run around<<<1, 32>>>(o, 1)
run loops<<<1, 32>>>(o, 1)
run parted<<<1, 32>>>(o, 1)
# lanes that leave by a way that only leads out, and masks of those that are there
run early<<<1, 32>>>(o, 9)
run early_with_a_word<<<1, 32>>>(o, 9)
run both<<<1, 32>>>(o, 9)
run active<<<1, 32>>>(o, 9)
assert $_findings == 4
