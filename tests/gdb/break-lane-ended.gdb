# run: launch lanes<<<1,64>>>(A, 5)
# A thread that has ended is stepped together with others: what those have hit meanwhile is told, and not lost.
monitor break lane
break 51 if threadIdx.x >= 32 && threadIdx.x < 34
set scheduler-locking on
continue
set scheduler-locking off
stepi
continue
continue
info breakpoints
