buffer P f32[16384] = random 3 -1 1
buffer A f32[16384]
run nbody<<<32, 128>>>(A, P, 4096)
assert A[3] == 0
stats gpu_tot_sim_insn
stats gpgpu_n_tot_w_icount
