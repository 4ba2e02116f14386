# args: -m performance -c mondrian -o '-gpgpu_heap_guard 0'
# Write bandwidth: each of 8 lanes appends 992 words to a stream of its own. A store of 8 lanes takes 8 cycles, so 7936 is the least.
load write.ptx
buffer w u32[8000] = zero
run write_bandwidth<<<1, 8>>>(0, 0, 8, &w[0], &w[1000], &w[2000], &w[3000], &w[4000], &w[5000], &w[6000], &w[7000], 1000)
stats gpu_sim_cycle
stats gpgpu_n_mem_write_global
print w[991]
print w[992]
# Read bandwidth: each lane reads 992 words of a stream; the memory is asked for 1000 of each, ahead of the loads.
load read.ptx
buffer r u32[8000] = iota
buffer sums u32[8] = zero
launch read_bandwidth<<<1, 8>>>(8, &r[0], &r[1000], &r[2000], &r[3000], &r[4000], &r[5000], &r[6000], &r[7000], 1000, 0, 0, sums)
run-to-cycle 10000
info stream-buffers
continue
# 0 + 1 + ... + 991
print sums[0]
stats gpgpu_n_mem_read_global
stats gpgpu_n_load_insn
stats gpgpu_n_stall_shd_mem
stats gpgpu_stall_shd_mem[[]g_mem_ld][[]stream_buffer_read_stall]
stats gpgpu_stall_shd_mem[[]gl_mem][[]coal_stall]
