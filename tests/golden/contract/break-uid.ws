# args: vecadd.ptx
buffer A f32[64] = iota 0 1
buffer B f32[64] = iota 0 2
buffer C f32[64]
launch vecadd<<<1, 64>>>(A, B, C, 64)
b vecadd.ptx:24 38
c
p %r5
p %r4
p $cycle
c
p C[0..3]
p C[63]
