# prompt
# args: inline.ptx
# frames of inlined functions: counted, listed, selected; the CUDA lines of each
buffer out s32[32] = zero
b inline.ptx:24
run frames<<<1, 32>>>(out)
bt
frame
up
list
up
up
up
down
down
down
down
up 10
down 10
frame 1
list
frame 7
info frame
delete
tb inline.ptx:49
run frames<<<1, 32>>>(out)
bt
frame 2
p $pc
b inline.cu:6
c
bt
bt 2
bt -2
frame 3
p %r1
frame 0
p %r1
finish
set source cuda
tb called
run frames<<<1, 32>>>(out)
bt
n
n
bt
up
p out[0]
delete
c
p out[0..2]
