# args: ../debugger/inline.ptx
# prompt
# CUDA lines without a setting. A bare line is one of the PTX as long as nothing was listed and nobody stopped; then of the file shown last
buffer out s32[64] = zero
break 62
list 62,62
list
list 23,23
break 24
info breakpoints
delete
tbreak frames
run frames<<<1, 64>>>(out)
list
list 22
list inline.ptx:62,63
break 63
info breakpoints
next
break 23
# another place of the same line, in the PTX
break inline.ptx:73
continue
info line
info source
backtrace
display/i $pc
watch out[1]
continue
step-line
until
advance 24
delete
# behind the end a line is one of the file that was shown last
continue
tbreak 23
# the PTX by choice
run
set source ptx
frame
break 63
next
list
set source auto
next
list
break 24
# a file with lines and without variables
print x
break 23 if t == 3
