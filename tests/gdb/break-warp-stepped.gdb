# args: -m performance
# run: launch lanes<<<1,64>>>(A, 5)
# Warp 0 hits the breakpoint while a thread of warp 1 is stepped by itself; its lane that would be told of it is stepped off there by its user:
# when everybody runs again nobody is told of that hit. The next one is that of the loop's second round.
monitor break warp
break 57
continue
set scheduler-locking on
stepi
stepi
stepi
stepi
thread 1
stepi
set scheduler-locking off
continue
info breakpoints
