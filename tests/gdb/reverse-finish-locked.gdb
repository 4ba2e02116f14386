# run: launch lanes<<<1,32>>>(A, 5)
# The step with which gdb ends a `reverse-finish` of a thread that goes back alone, from a breakpoint that it has taken out, is one.
break 14
continue
set scheduler-locking on
thread 3
reverse-finish
print $pc
stepi
reverse-stepi
