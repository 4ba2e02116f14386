# prompt
# args: inlined.ptx
# steps through inlined functions of -G code; places and frames are those that gdb 13 comes to at the stub with the same commands
buffer results s32[8]
set source cuda
tb inlined.cu:20
run inlined<<<1,8>>>(results, 3)
next
next
next
bt
step-line
bt
step-line
bt
finish
bt
next
next
step-line
run
tb twice
run
bt
info locals
stepi
bt
finish
up
finish
tb clamp
run
finish
finish
step-line 2
tb twice
set source ptx
run
bt
next
