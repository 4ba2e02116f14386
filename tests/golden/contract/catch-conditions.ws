# args: -m functional vecadd.ptx
# Conditions of catchpoints for launches and ends are evaluated for the launch's first thread.
buffer A f32[64] = iota 0 1
catch launch if blockDim.x == 64
catch exit if $cycle < 0
run vecadd<<<1, 32>>>(A, A, A, 32)
run vecadd<<<1, 64>>>(A, A, A, 64)
info breakpoints
continue
