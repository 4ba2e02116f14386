# args: -m performance
# run: launch lanes<<<1,64>>>(A, 5)
# Warp 0 hits the breakpoint while a thread of warp 1 is stepped by itself; a lane that its user steps off there is told
# of it, as a thread on a processor is, and when everybody runs again nobody else. The next hit is that of the loop's second round.
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
stepi
set scheduler-locking off
continue
info breakpoints
