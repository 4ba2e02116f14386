# args: -m performance -c tiny chain.ptx
# prompt
# whole parts, slices, statistics as values
print $stat.gpu_ipc
break 25 if $stat.nothing > 1
tbreak 27 if core[0].l1d
tbreak 27 if core[0..0].issued
watch out[1] if core[0].warp[1..2].pc == 1
buffer out u32[128] = iota
launch chain<<<2, 64>>>(out)
run-to-cycle 175
print core[0].l1d
print core[0].l1d.misses
print core[0..0].issued
print core[0].warp[0..3].issued
print/x core[0].warp[0..3].active
print core[0].warp[1..2].pc
print core[0].warp[2]
print core[0].scheduler
print $3
print partition[0].dram.bank[0..1].row
output core[0].fetch
print core[0].warp[2..1].pc
print core[0].warp[3..4].pc
print core[0].warp[0..1].nothing
print core[0].nothing
print 1 + core[0].l1d
assert core[0].l1d
watch core[0].l1d
print $stat.gpgpu_n_tot_w_icount
print core[0].completed
print $stat.W31
print $stat.W32
print $stat.stall_reason[g_mem_ld][mshr_rc] + 0
print $stat.stall_reason[g_mem_ld][nonsense]
print $stat.traffic_breakdown_coretomem[GLOBAL_ACC_R]
print $stat."Nothing average"
set var $stat.W32 = 1
watch $stat.W32
whatis $stat.gpu_ipc
continue
assert $stat.gpu_tot_sim_insn == $stat.gpu_sim_insn
assert $stat.gpu_ipc > 1 && $stat.gpu_ipc < 32
stats gpu_ipc
print $stat."Overall Hops average"
print $stat."Hops average"
stats Overall Hops*
printf "%.4f\n", $stat.gpu_ipc
complete print $stat.gpu_tot
complete print $st
# names that may have been meant
print $stat.gpu_ipcc
assert $stat.gpu_tot_sim_cylce > 1
