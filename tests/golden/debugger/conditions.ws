# args: ../contract/vecadd.ptx
# What a breakpoint can't mean is refused when it is set, one line each; the numbers go on without gaps.
buffer A f32[64] = iota
buffer C f32[64] = zero
b vecadd if %r1 == 3
b vecadd if C[3] == 0 && vecadd_param_3 == 64 && %tid.x == 2 && threadIdx.x < 3 && $pc && $nothing
b 33 thread 3
b 33 7 thread (1,0,0) block 1 warp 0 if %f3 > 1
info breakpoints
launch vecadd<<<2, 32>>>(A, A, C, 64)
b 33 thread (32,0,0)
b 33 block 2
b 33 65
tb 33 thread (1,0,0) block (1,0,0)
condition 1
condition 2 %r1 == 5
delete 1-4 5-7
c
p C[33]
