# run: launch lanes<<<1,32>>>(A, 5)
# A lane that hasn't been told of the hit where gdb shows it steps by itself: it is told, and steps off only then, as a thread on a
# processor does that was at the breakpoint when another one stopped. A lane for which the condition is false just steps, and so does
# one whose breakpoint is gone.
monitor break lane
break 58 if $laneid != 5
continue
set scheduler-locking on
thread 2
stepi
stepi
thread 6
stepi
thread 3
next
next
thread 4
stepi 2
thread 5
step
print r8
thread 1
continue
print r8
thread 7
next
print r8
continue
print r8
info breakpoints
delete 1
thread 8
next
