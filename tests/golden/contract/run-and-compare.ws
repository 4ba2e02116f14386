# args: vecadd.ptx
# status: 1
buffer A f32[4] = {1, 2, 3, 4.5}
buffer B f32[4] = fill -1
buffer C f32[4] = zero
run vecadd<<<1, 4>>>(A, B, C, 4)
p C[0..3]
p/x A[3]
p &A[1]
x/4fw C
assert C[3] == 3.5
assert C[0] == 1
p 1
