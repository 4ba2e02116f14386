buffer A f32[4194304] = fill 1
buffer R f32[1] = zero
run reduce<<<256, 256>>>(R, A, 4194304)
assert R[0] == 4194304
stats gpu_tot_sim_insn
stats gpgpu_n_tot_w_icount
