# args: -m performance -c tiny chain.ptx
# the same without the option: warm caches from the second launch on
buffer out u32[64] = iota
run chain<<<1, 64>>>(out)
assert $stat.gpu_sim_cycle == 260
stats L1I_total_cache_misses
stats gpu_sim_cycle
run chain<<<1, 64>>>(out)
stats gpu_sim_cycle
save out /dev/null
print out[0..3]
