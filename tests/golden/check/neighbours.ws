# args: -m functional --check memory
# status: 3
# An access that leaves the variable its address is computed from is out of bounds, although the space's memory goes on: shared, dynamic shared, constant memory.
load neighbours.ptx
buffer in f32[32] = iota
buffer out f32[64] = zero
run over<<<1, 32>>>(in, out, 0)
run under<<<1, 32, 128>>>(out, 0)
run under<<<1, 32, 128>>>(out, -2)
run cst<<<1, 4>>>(out, 0)
run cst<<<1, 4>>>(out, 2)
run pp<<<1, 32>>>(out, 3)
run viacall<<<1, 32>>>(out, 33)
print out[0..3]
