# run: launch lanes<<<1,32>>>(A, 5)
# A thread that stayed in a function while its warp went on, and called it again: out of there it goes back to where it came from, not to a later call. So it
# does back to a breakpoint.
tbreak 14
continue
set scheduler-locking step
stepi 22
print r8
thread 3
up
print r8
down
reverse-finish
print r8
stepi
stepi
# the same, while it goes back alone
thread 4
set scheduler-locking on
stepi 20
thread 5
print r8
break 58
reverse-continue
print r8
print $_thread
stepi
print r8
