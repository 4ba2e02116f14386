# kernel: exit-arguments.ptx
# run: set source cuda
# run: launch scale<<<1,64>>>(A, {s32 3, f32 0.5}, 2.5)
# a thread that has exited has no variables any more, gdb is told so; and watchpoints on them are over
break exit-arguments.cu:10
continue
info args
watch f
next
backtrace
info args
print p.b
print $sp
info frame
thread apply 1 print f
next
info watchpoints
