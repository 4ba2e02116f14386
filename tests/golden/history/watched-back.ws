# prompt
# args: ../contract/vecadd.ptx
# Steps back over the write of a watched value stop there as forward steps do, whoever has written it; others pass nothing over
buffer A f32[64] = iota 0 1
buffer C f32[64] = zero
set history on
launch vecadd<<<1, 64>>>(A, A, C, 64)
watch C[10]
continue
rsi
rsi
stepi 3
rsi 3
next
next
rn
rn
continue
rni
# the other warp's write; in functional mode warp 0 runs first
delete
watch C[40]
focus thread (3,0,0)
goto-cycle 2
continue
focus thread (3,0,0)
rsi 2
# neither a disabled one nor one that isn't on the way
delete
watch C[10]
continue
disable
goto-cycle 40
focus thread (40,0,0)
rsi
enable
rsi
