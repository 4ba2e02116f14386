# args: ../contract/vecadd.ptx
# A breakpoint made where the focused warp stands is behind it, as in gdb; other warps still hit it, and so does a fresh launch.
buffer A f32[64] = iota
buffer C f32[64] = zero
launch vecadd<<<2, 32>>>(A, A, C, 64)
b vecadd
c
b 33
c
delete
stepi
b +0
c
info breakpoints
delete
c
launch vecadd<<<2, 32>>>(A, A, C, 64)
stepi 2
tb *$pc
stepi
c
