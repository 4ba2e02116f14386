# args: -o '-gpgpu_max_insn 100' vecadd.ptx
# status: 4
buffer A f32[64] = zero
run vecadd<<<1, 64>>>(A, A, A, 64)
