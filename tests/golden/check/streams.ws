# args: -q -c tiny --check race races.ptx
# launches in two streams that nothing orders, whichever runs first; in one stream they are ordered
buffer o s32[64] = zero
launch same<<<1, 32, 0, 1>>>(o, 1)
run same<<<1, 32, 0, 1>>>(o, 1)
print $_findings
launch same<<<1, 32, 0, 1>>>(o, 1)
run same<<<1, 32, 0, 2>>>(o, 1)
print $_findings
