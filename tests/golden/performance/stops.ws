# args: -m performance ../contract/vecadd.ptx
buffer A f32[128] = iota
buffer B f32[128] = fill 2
buffer C f32[128] = zero
b 17
b 24 block (1,0,0)
tb 38 uid 70
b 31 65
b 26 warp 1 if %r1 == 100
launch vecadd<<<2, 64>>>(A, B, C, 128)
continue
p $cycle
# the other warp is fetched a cycle later
continue
ignore 1 2
continue
continue
info breakpoints
continue 2
continue
continue
p C[68..72]
continue
p $cycle
# the same without stops
delete
launch vecadd<<<2, 64>>>(A, B, C, 128)
p $cycle
continue
p $cycle
