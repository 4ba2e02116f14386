load tensor.ptx
buffer A f16[262144] = fill 0.5
buffer B f16[262144] = fill 2
buffer C f32[262144]
run gemm_mma<<<(8,8), 128>>>(A, B, C)
assert C[0] == 512 && C[262143] == 512
stats gpu_tot_sim_insn
stats gpgpu_n_tot_w_icount
