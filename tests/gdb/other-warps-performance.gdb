# args: -m performance
# run: launch lanes<<<2,32>>>(A, 5)
# Other warps run while a thread is stepped alone. gdb keeps the pc that it has read of their threads: they have the registers that go with it.
monitor expose all
break 51
continue
info threads 1 34
delete
set scheduler-locking on
stepi 6
info threads 1 34
thread 34
print r1
print r2
print r3
stepi
print r2
