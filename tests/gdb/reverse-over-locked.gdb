# run: launch lanes<<<1,32>>>(A, 5)
# A step over a breakpoint, of a thread that goes back alone, that ends at the beginning: gdb goes on from there.
break 52
continue
delete
break 47 if $_thread == 99
set scheduler-locking on
reverse-continue
print $pc
delete
stepi
print $pc
