buffer A f32[102400] = fill 1
buffer B f32[204800] = fill 0.01
buffer C f32[204800]
run matrixMul<<<(20,10), (32,32)>>>(C, A, B, 320, 640)
assert C[0] > 3.19 && C[0] < 3.21 && C[204799] == C[0]
stats gpu_tot_sim_insn
stats gpgpu_n_tot_w_icount
