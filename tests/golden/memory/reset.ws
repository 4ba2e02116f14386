# args: -q -m functional heap-guard.ptx
# A watch on a register stays with its block and thread in the kernel's next launch, though launches count from 0 again; what
# is queued is gone.
buffer x f32[64] = iota
buffer y f32[64] = zero
run shifted<<<1, 32>>>(x, y, 5)
break shifted
run shifted<<<2, 32>>>(x, y, 40)
focus block (1,0,0) thread (3,0,0)
stepi 2
watch %r1
delete 1
reset
run poke<<<1, 1>>>(y, 3)
run shifted<<<2, 32>>>(x, y, 40)
info threads
print $cycle
delete
launch shifted<<<2, 32>>>(x, y, 40)
launch shifted<<<2, 32>>>(x, y, 40)
reset
run
print y[0..2]
stats gpu_tot_sim_insn
