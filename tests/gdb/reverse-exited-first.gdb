# run: launch lanes<<<3,8>>>(A, 5)
# A thread that is shown at its first instruction, from which its warp has gone on, to its end: stepped back it is at the beginning.
monitor break lane
monitor expose all
break 47
set scheduler-locking step
continue
thread 20
stepi
continue
print $pc
reverse-stepi
print $pc
stepi
print $pc
