# run: launch lanes<<<1,64>>>(A, 5)
# What thread 2 writes while thread 1 is stepped is reported when thread 2 goes on by itself, before anything moves, and not again when all may run.
break 58
continue
delete
thread 2
watch r8
thread 1
set scheduler-locking on
stepi
stepi
thread 2
continue
stepi
set scheduler-locking off
continue
