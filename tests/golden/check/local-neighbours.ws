# args: -q -m functional --check memory local-neighbours.ptx
# status: 3
# The debug information tells which array the address is computed from; only its end is a limit.
buffer out f32[32]
run over<<<1, 1>>>(out, 3)
run over<<<1, 1>>>(out, 4)
