# args: chain.ptx
# prompt
buffer out u32[64] = iota
run chain<<<1, 64>>>(out)
# 2 warps of 14 instructions, and `add.s32 %r3, %r3, 100; bra join` of the odd lanes
print $stat.gpgpu_n_tot_w_icount
stats gpgpu_n_tot_w_icount
print $stat.gpu_sim_insn
print $stat.gpu_ipc
print core[0].l1d
complete print $stat.gpu
