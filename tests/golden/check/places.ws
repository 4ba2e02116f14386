# args: -q -m functional --check all places.ptx
# status: 3
# copies of one line are one finding; code of the toolkit counts as the line that calls it
buffer o s32[64] = zero
run scan<<<1, 32>>>(o, -1)
run count<<<1, 64>>>(o, 1)
run unset<<<1, 32>>>(o)
# no distance to buffers for null pointers, and for shared and local memory, where it is said whose it was
buffer slot u64[1] = zero
run use_null<<<1, 1>>>(slot, o)
run give<<<1, 32>>>(slot, 1)
run use_shared<<<1, 1>>>(slot, o)
run give<<<1, 32>>>(slot, 0)
run use_local<<<1, 1>>>(slot, o)
run write_end<<<1, 1>>>(o, 64)
run write_null<<<1, 1>>>(o, -0x1fffff00)
run write_far<<<1, 1>>>(o, -0x1ff40000)
run use_freed<<<1, 1>>>(64)
