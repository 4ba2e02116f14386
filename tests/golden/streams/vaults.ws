# args: -m performance -c mondrian -o '-gpgpu_n_clusters 2 -inter_config_file two-vaults.icnt -gpgpu_heap_guard 0'
# a core for each vault: each walks through the same streams, so each word is asked for twice; the network has 2 + 12 nodes
load deal.ptx
buffer r0 u32[96] = iota 5 3
buffer out u32[96] = fill 0
launch deal<<<2, 8>>>(1, r0, 96, 0, 0, 12, out)
run-to-cycle 400
info stream-buffers
info warps
continue
assert out[0] == 5 && out[95] == 290
stats gpgpu_n_mem_read_global
stats traffic_breakdown_coretomem[[]GLOBAL_ACC_R*
stats traffic_breakdown_memtocore[[]GLOBAL_ACC_R*
