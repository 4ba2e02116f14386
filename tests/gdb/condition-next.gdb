# kernel: callee.ptx
# run: launch callee<<<1,64>>>(A)
# breakpoints on neighbouring instructions, also those of a call and of what is called: going on from the first, gdb takes its thread onto
# the second by itself, whose condition is true for other lanes
break 17
break 18 if r2 == 105
break double_it if ri == 109
continue
continue
continue
backtrace
next
continue
next
next
thread 40
next
info breakpoints
