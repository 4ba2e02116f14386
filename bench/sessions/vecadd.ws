buffer A f32[4194304] = iota 0 1
buffer B f32[4194304] = iota 1 1
buffer C f32[4194304]
run vecadd<<<16384, 256>>>(C, A, B, 4194304)
assert C[1000] == 2001 && C[4194303] == 8388607
stats gpu_tot_sim_insn
stats gpgpu_n_tot_w_icount
