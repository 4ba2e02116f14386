buffer A f32[262144] = fill 0.5
buffer B f32[262144] = fill 2
buffer C f32[262144]
run mm_tiled<<<(32,32), (16,16)>>>(C, A, B, 512)
assert C[0] == 512 && C[262143] == 512
stats gpu_tot_sim_insn
stats gpgpu_n_tot_w_icount
