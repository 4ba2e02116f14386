# run: launch lanes<<<1,32>>>(A, 5)
# monitor has taken the thread to where a breakpoint is made then, and gdb doesn't know that it is there: a step tells of it, the next moves
break 57
continue
delete
monitor step 5
maintenance flush register-cache
maintenance flush dcache
break 58
set scheduler-locking on
stepi
print r8
stepi
print r8
info line *$pc
