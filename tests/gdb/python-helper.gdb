# run: launch lanes<<<2,64>>>(A, 5)
source ../../macros/warpstep.py
break lanes.ptx:58
continue
x/3i $pc
disassemble /s $pc,+8
thread 4
ptx lanes r1
ptx focus
info cuda kernels
cuda thread (33,0,0)
print r1
cuda thread
ptx focus on
stepi
why %r1 2
who-wrote %r1
complete info cuda 
complete info cuda threads bl
complete cuda block 3 th
complete ptx focus o
