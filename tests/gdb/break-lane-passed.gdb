# run: launch lanes<<<1,32>>>(A, 5)
# gdb has gone on from the first lane's hit, and the second lane is told of its own without the machine's having moved. Then gdb sees the
# first lane where its warp stands; there it stays, with its registers, when another one is stepped by itself.
monitor break lane
break 58
continue
continue
set scheduler-locking on
thread 1
print r8
print $pc
thread 2
stepi
print r8
thread 1
print r8
print $pc
maintenance flush register-cache
print r8
print $pc
stepi
print r8
