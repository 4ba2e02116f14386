# args: vecadd.ptx
# status: 3
buffer A f32[96] = iota 0 1
buffer B f32[96] = iota 0 2
buffer C f32[65]
run vecadd<<<1, 96>>>(A, B, C, 96)
p %r1
