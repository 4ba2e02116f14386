# prompt
# args: -m functional places.ptx
# functions as the source spells them, all instances of a template, places in files, and names of CUDA in expressions
load inline.ptx
break scale
break scale<int>
break scale(float *, const float *, unsigned, const volatile float *)
break 'scale<int>(int *, int const *, unsigned int, int const volatile *)' if %tid.x == 3
tbreak places.cu:depth
break places.ptx:deep thread (1,0,0)
break *depth
break inner
break outer
break places.cu:nothing
break places.cu:outer
break 'deep
info breakpoints
delete
buffer out s32[64] = zero
buffer limit s32[1] = fill 110
break places.cu:15 if %r3 == 105
set stack-size 65536
run deep<<<1, 1>>>(out, limit)
backtrace 2
backtrace -3
frame 99
frame 100
delete
continue
print out[0]
# CUDA names of a place
launch reversed<<<(2, 3), (8, 2), 64>>>(out)
focus block (1,2,0) thread (5,1,0)
print threadIdx
print blockIdx
print/x blockDim
print %nctaid
print gridDim.y * 100 + threadIdx.x
set threadIdx = 1
break reversed if threadIdx.x == 5 && blockIdx.y == 2
condition 11 threadId.x == 3
continue
# dynamic shared memory has its variable's name
delete
break reversed thread (0,1,0)
nexti
run-to-barrier
print sizeof part
print *(f32 *)&part @ 4
x/2fw &part
watch *(f32 *)&part[12]
info watchpoints
# addresses in hexadecimal without 0x, as GPGPU-Sim takes them; gdb's -l
print &out[2]
watch 80000008
watch 80000008 3 if out[2] > 0
watch -l out[3]
rwatch -location out[4]
watch 3
# where names are
info address out
info address %r1
info address depth
info address part
info address 3
info symbol &part
info symbol (u64)&part + 12
info symbol depth
info stack
info s
# coordinates without parentheses, as in cuda-gdb
kill
delete
launch reversed<<<(2, 3), (8, 2), 64>>>(out)
cuda block 1,2,0 thread 5, 1
focus thread 3,1
focus block 0,1
break reversed thread 5,1 block 1,2 if blockIdx.y == 2
continue
cuda thread 3,
cuda thread 1,2,3,4
# a mangled kernel by the name its users know
kill
launch scale<int><<<1, 32>>>(out, out, 3, limit)
info cuda kernels
