buffer D u8[1048576] = iota 0 1
buffer H u32[256] = zero
run histogram<<<64, 256>>>(H, D, 1048576)
assert H[0] == 4096 && H[255] == 4096
stats gpu_tot_sim_insn
stats gpgpu_n_tot_w_icount
