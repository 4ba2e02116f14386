# A watchpoint's stop of one thread was shown: a step of another one is a step. (With a breakpoint at the same place gdb steps the first
# thread off it before.)
# run: launch lanes<<<2,32>>>(A, 5)
monitor expose all
tbreak 49
continue
watch r8
break 59
continue
thread 33
stepi
info breakpoints
