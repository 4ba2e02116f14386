# args: -m performance ../contract/vecadd.ptx
buffer A f32[64] = iota 0 1
buffer C f32[64] = zero
launch vecadd<<<1, 64>>>(A, A, C, 64)
watch C[10]
c
c
