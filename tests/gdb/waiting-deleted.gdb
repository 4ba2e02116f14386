# Where a waiting lane's warp meets again there was a breakpoint, which gdb has deleted: a step of that lane is a step.
# run: launch lanes<<<1,32>>>(A, 5)
break 65
break 70
continue
delete
thread 1
set scheduler-locking on
stepi
info threads 1 2
