# args: -m performance -c tiny -o '-gpgpu_perfect_inst_cache 1' chain.ptx
# no fetch misses, so the first launch takes less than the 260 cycles of a cold cache (request.want); a launch with warm caches
# (the kernel's 128 bytes fit) takes as long with as without the option
buffer out u32[64] = iota
run chain<<<1, 64>>>(out)
assert $stat.gpu_sim_cycle < 260
stats L1I_total_cache_misses
stats gpu_sim_cycle
run chain<<<1, 64>>>(out)
stats gpu_sim_cycle
save out /dev/null
print out[0..3]
