buffer M s32[262144]
run mandelbrot<<<(32,32), (16,16)>>>(M, 512, 512, 256)
# the corner is outside the set, the origin inside
assert M[0] == 1 && M[256 * 512 + 341] == 256
stats gpu_tot_sim_insn
stats gpgpu_n_tot_w_icount
