# args: vecadd.ptx
buffer A f32[64] = iota 0 1
launch vecadd<<<1, 64>>>(A, A, A, 64)
step 3
p $cycle
stepi
stepi 3
p %r5
focus thread (40,0,0)
stepi
p $cycle
run-to-cycle 25
