# args: vecadd.ptx
# Breakpoint forms and hits: vecadd of 2 blocks of 64, 3 of the 4 warps have work (n = 100: warp 3 partly)
buffer A f32[128] = iota 0 1
buffer C f32[128] = zero
b vecadd
b 24 block (1,0,0)
tb $L__BB0_2
b *0x48 if %r1 == 70
launch vecadd<<<2, 64>>>(A, A, C, 100)
c
info breakpoints
ignore 1 1
c
c
delete 1
c
p %r5
c
p %r1
focus lane 3
b 31 warp 1
c
continue 2
disable
c
