# run: launch lanes<<<1,64>>>(A, 5)
# What lane 0 hits by itself, its warp has hit, too: lanes that gdb shows at an earlier line stay there until they are stepped themselves.
break 58
continue
delete
stepi
set scheduler-locking on
stepi
break 61
continue
stepi
thread 2
print r8
print p1
stepi
print p1
stepi
print r8
