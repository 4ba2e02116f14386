# run: launch lanes<<<2,64>>>(A, 5)
# one thread goes on alone until it hits something itself (gdb 13 aborts when it is told of one that it has not resumed), what others
# hit meanwhile is told when they may run
break 58
continue
thread 33
set scheduler-locking on
continue
print r8
continue
print r8
next
print r8
delete
continue
continue
set scheduler-locking off
continue
