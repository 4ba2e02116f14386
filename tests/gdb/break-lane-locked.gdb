# run: launch lanes<<<1,32>>>(A, 5)
# Lane 0 goes around the loop three times by itself. What its warp hit meanwhile the others hear of when they go on, each by itself, too:
# first of the one that gdb shows them at, then once for each time around, with the count they had.
monitor break lane
break 58
continue
set scheduler-locking on
continue
continue
print r8
thread 2
print r8
continue
print r8
continue
print r8
continue
print r8
thread 3
continue
print r8
continue
continue
continue
print r8
info breakpoints
