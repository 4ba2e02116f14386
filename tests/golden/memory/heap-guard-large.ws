# args: -q -o '-gpgpu_heap_guard 4096' heap-guard.ptx
# status: 3
buffer x f32[256] = iota
buffer y f32[256] = zero
run poke<<<1, 1>>>(x, 1272)
run poke<<<1, 1>>>(x, 1273)
info buffers
