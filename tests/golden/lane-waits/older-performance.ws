# args: -m performance ways-sm60.ptx
# status: 4
# By default a kernel for sm_60 has lanes that wait for each other for ever; the report names the option.
buffer L u32[4] = zero
buffer sum s32[4] = zero
run lock_while<<<1, 32>>>(L, sum, 1)
