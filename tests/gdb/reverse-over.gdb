# run: launch lanes<<<1,32>>>(A, 5)
# gdb takes a thread that its user isn't on over its breakpoint, alone, before it steps another one back. That leads to the beginning, and gdb goes on from there.
break 47
set scheduler-locking on
thread 5
stepi
stepi
reverse-continue
thread 11
stepi
stepi
set scheduler-locking off
reverse-stepi
print $pc
delete
stepi
print $pc
