# args: -m performance -c tiny chain.ptx
# status: 1
# figures that have no value say so beside the line, and where to look; the lines stay `name = value`
buffer out u32[128] = iota
run chain<<<2, 64>>>(out)
stats gpgpu_n_shmem_bkconflict
stats gpgpu_n_*conflict
stats gpgpu_stall_shd_mem[g_mem_ld][mshr_rc]
stats maxmflatency
stats gpu_reg_bank_conflict_stalls
stats gpu_ipc
stats --list gpgpu_n_cache_bkconflict
# a glob that fits one figure only is that figure
stats *shmem_bk*
stats gpgpu_n_cache*
stats averagemf*
