# prompt
# args: -m performance -c tiny
# The rows of docs/manual/habits.md. From gdb:
file ../../../examples/01-saxpy/saxpy.ptx
directory ../../../examples/01-saxpy
buffer x f32[256] = iota
buffer y f32[256] = fill 1
buffer z f32[100] = zero
launch saxpy<<<1, 64>>>(64, 2.0, x, y, z)
break saxpy.cu:12 if threadIdx.x == 37
tbreak saxpy.cu:9
ignore 1 0
condition 1 threadIdx.x == 37
continue
sl
next
stepi
nexti
step 2
thread 38
print x[0]@4
print x[0..3]
ptype x
whatis %r1
set var x[37] = 3
print x[37]
x/4fw x
display %r1
bt
up
frame
list 12,12
info locals
info registers %r1
info line
info symbol z
info threads
x/2i $pc
call f(1)
reverse-walk
p-1
advance saxpy.ptx:60
watch z[40]
continue
kill
# From cuda-gdb:
delete
catch kernel saxpy
catch launch
run saxpy<<<2, 64>>>(100, 2.0, x, y, z)
delete
break saxpy.cu:12 if blockIdx.x == 1 && threadIdx.x == 20
continue
cuda kernel 1 block 1 thread 5
cuda sm 0 warp 2 lane 3
cuda kernel block thread
focus thread (5,0,0)
print threadIdx
info cuda devices
info cuda sms
info cuda warps
info cuda kernels
info cuda blocks
info cuda threads
info cuda barriers
info cuda line
info simt-stack
delete
continue
print $errorpc
kill
load ../../../examples/classroom/banks.ptx
launch banks<<<1, 32>>>(1, z)
advance banks.ptx:50
print *(@shared int *)0x20
print shared[0x20]
kill
reset
# From GPGPU-Sim:
buffer w f32[256] = zero
run saxpy<<<1, 32>>>(32, 2.0, x, y, w)
stats gpu_sim_cycle
print $stat.gpu_sim_cycle
run
stats gpu_sim_cycle
launch saxpy<<<1, 32>>>(32, 3.0, x, y, w)
b saxpy.cu:12 66
w 80000d04
c
l 12,12
s
ptxdis 0x60 0x68
ptx_tids2pcs 0,1 0
c
# Commands of gdb that aren't here say why, and what to use instead
jump 12
return
call f(1)
handle SIGINT nostop
skip function f
layout src
help layout
# more of gdb's habits
info cycle
list 10,+2
b saxpy.cu:11
tb saxpy.cu:11
clear saxpy.cu:11
b saxpy.cu:11
clear saxpy.cu:11
clear saxpy.cu:11
launch saxpy<<<1, 32>>>(32, 3.0, x, y, w)
thread apply 1 4-5 -q print $uid
thread apply 1 -s print nosuch
thread apply 1 2 -c print nosuch
thread apply 1
ptype int*
ptype float*
info cycle
info cycle 3
