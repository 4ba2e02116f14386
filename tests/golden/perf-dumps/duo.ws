# args: -m performance -c duo chain.ptx
# the second classroom machine: two cores of eight warps, two schedulers each
buffer out u32[1024] = iota
launch chain<<<4, 128>>>(out)
info occupancy
run-to-cycle 70
info cores
info warps core 1
print core[0..1].scheduler
print core[0..1].issued
dp 0 unit scheduler
continue
diagram cycle 60..66
assert $stat.gpu_tot_sim_insn == 4 * 128 * 14
