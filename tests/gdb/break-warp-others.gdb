# run: launch lanes<<<1,64>>>(A, 5)
# With `break warp`, too, lanes of a hit that nobody has been told of yet aren't seen behind it. Then it is told for one of them.
set print frame-info short-location
monitor break warp
break 54
continue
set scheduler-locking on
tbreak 58
continue
info threads 33 34 64
thread apply 33 34 64 -q python print(gdb.newest_frame().find_sal().line)
set scheduler-locking off
continue
info threads 1 33 34
continue
