# run: launch wild<<<1,32>>>(A)
# Lane 0 is stepped off a breakpoint at an instruction that fails for lane 1: it stays there, and so gdb shows it.
break 121
continue
stepi
print r1
thread 2
print r1
continue
