# args: -m performance -c mondrian -o '-gpgpu_stream_buffer_size 8 -gpgpu_heap_guard 0'
# the laws of stream-buffers: what was stalled is words that had not come and accesses that were left; requests no more than the streams have; back and forth the same
load map.ptx
buffer r0 u32[40] = iota 0 3
buffer r1 u32[40] = iota 7 3
buffer r2 u32[40] = iota 14 3
buffer r3 u32[40] = iota 21 3
buffer w0 u32[40] = fill 0
buffer w1 u32[40] = fill 0
buffer w2 u32[40] = fill 0
buffer w3 u32[40] = fill 0
set history on
launch map<<<1, 8>>>(4, r0, r1, r2, r3, 40, 4, w0, w1, w2, w3, 40, 40)
run-to-cycle 1500
info stream-buffers
goto-cycle 400
run-to-cycle 1500
info stream-buffers
continue
print w1[39]
# 4 streams of 40 words: requests; lanes; accesses less instructions are left-over cycles: 2 * (160 - 40)
stats gpgpu_n_mem_read_global
stats gpgpu_n_mem_write_global
stats gpgpu_n_load_insn
stats gpgpu_n_stall_shd_mem
stats gpgpu_stall_shd_mem[[]gl_mem][[]coal_stall]
stats gpgpu_stall_shd_mem[[]g_mem_ld][[]stream_buffer_read_stall]
stats gpgpu_stall_shd_mem[[]g_mem_st][[]stream_buffer_write_stall]
stats gpu_sim_cycle
