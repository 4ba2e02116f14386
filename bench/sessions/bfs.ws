buffer E u32[524288] = random 7 0 65535
buffer D s32[65536] = fill -1
buffer F s32[1] = zero
set D[0] = 0
set $level = 0
while $level < 12
run bfs_level<<<256, 256>>>(D, E, F, 65536, 8, $level)
set $level = $level + 1
end
# with 8 random edges a node all but a few nodes are reached
assert F[0] == 1 && D[0] == 0
stats gpu_tot_sim_insn
stats gpgpu_n_tot_w_icount
