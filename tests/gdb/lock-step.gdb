# run: launch lanes<<<2,64>>>(A, 5)
# Each lane is stepped over the breakpoint once, and the warp moves once.
break 58
continue
stepi
info threads 1 2
thread 2
stepi
info threads 1 2 3
print r8
thread 1
print r8
stepi
info threads 1 2
