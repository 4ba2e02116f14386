# args: vecadd.ptx
buffer A f32[64] = zero
catch launch
catch exit
catch divergence
run vecadd<<<1, 64>>>(A, A, A, 40)
c
c
