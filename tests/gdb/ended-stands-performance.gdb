# args: -m performance
# run: launch lanes<<<2,32>>>(A, 5)
# When a thread that has ended is to step, another one is shown. If that one stands at a breakpoint, it is told of it.
monitor expose all
set scheduler-locking on
continue
info threads 33
break 72
set scheduler-locking off
stepi
stepi
info breakpoints
stepi
