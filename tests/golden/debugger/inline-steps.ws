# prompt
# args: inline.ptx
# steps by lines of CUDA through functions that .loc says were inlined; places and frames are those of gdb 13 at the stub
buffer out s32[32] = zero
set source cuda
tb frames
run frames<<<1, 32>>>(out)
next 2
bt
step-line
bt
step-line
bt
step-line
bt
step-line
bt
next
next
step-line
tb called
run
next
next
bt
tb called
run
next
finish
bt
next
c
tb inner
tb outer
info breakpoints
run
bt
finish
bt
c
bt
up
list
set source ptx
tb frames
run
next 3
bt
