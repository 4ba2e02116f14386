# args: -m functional
# run: launch lanes<<<2,32>>>(A, 5)
# When a thread that has ended is to step, another one is shown. That one stands at a breakpoint which was reported to gdb before: not again.
monitor expose all
info threads 33
stepi 4
tbreak 72
set scheduler-locking on
thread 33
break 48
continue
set scheduler-locking off
continue
stepi
stepi
stepi
info breakpoints
