# args: -q -m functional heap-guard.ptx
# A watch on a register stays with its block and thread in later launches of the same kernel. Other kernels don't concern it: poke's
# %r1 becomes 7.
buffer x f32[64] = iota
buffer y f32[64] = zero
launch shifted<<<2, 32>>>(x, y, 40)
focus block (1,0,0) thread (3,0,0)
watch %r1
continue
continue
run poke<<<2, 32>>>(y, 9)
run shifted<<<2, 32>>>(x, y, 40)
continue
run shifted<<<1, 32>>>(x, y, 40)
run shifted<<<2, 32>>>(x, y, 40)
continue
