# run: launch lanes<<<1,64>>>(A, 5)
# Lane 0 goes once around the loop, the others stay at line 58 for gdb: with the registers they have there.
break 58
continue
delete
set scheduler-locking on
stepi 4
print r8
thread 2
print r8
print f2
print p1
set var r8 = 7
print r8
thread 1
stepi
bt
print f1
# here the others go on from the call, and one of them stands in what has returned meanwhile
thread 3
print r8
stepi
bt
print f1
thread 1
stepi 4
print r8
thread 4
bt
print fi
print f1
up
print r8
print f1
thread 3
bt
print fi
stepi
bt
print r8
# in their turn, or when everybody runs, they are where the warp is
set scheduler-locking off
thread 4
stepi
print r8
set var r8 = 7
print r8
