# args: -q -o '-gpgpu_heap_guard 0' heap-guard.ptx
# GPGPU-Sim's layout: z begins where y ends, and who writes one too many hits it.
buffer x f32[256] = iota
buffer y f32[256] = zero
buffer z f32[4] = fill 5
run shifted<<<2, 160>>>(x, y, 256)
print z
info buffers
