# args: -m performance
# run: launch lanes<<<2,64>>>(A, 5)
# one thread is stepped by itself; the cycles it takes are those of others, too, and what they hit is told when they may run again
break 47 if threadIdx.x == 32 && blockIdx.x == 0
continue
delete
set scheduler-locking on
break 49
stepi
stepi
stepi
stepi
stepi
stepi
stepi
set scheduler-locking off
continue
continue
continue
continue
