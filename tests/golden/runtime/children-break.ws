# args: -q -m functional children.ptx
# breakpoints, steps and catchpoints in what a kernel launches
break say
run say<<<1, 2>>>(0, 0, 3)
info kernels
print _Z3sayiii_param_0
continue
print _Z3sayiii_param_0
cuda kernel block thread
info kernels
backtrace
delete
tbreak add thread (31,0,0)
buffer P s32[2] = zero
run many<<<1, 3>>>(P)
stepi 2
continue
print P[0]
catch launch
buffer O s32[16] = zero
buffer N s32[2] = zero
launch streams<<<1, 1>>>(O, N)
continue
print O[0]
continue
print O[0]
delete
continue
print O[0..5]
