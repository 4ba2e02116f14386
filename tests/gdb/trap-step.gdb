# kernel: trap.ptx
# run: launch traps<<<1,32>>>(A)
# a trap ends a step: it isn't one of the SIGTRAPs that gdb takes for an instruction done and goes on
break 14
continue
next
next
step
stepi
until
break 15
continue
continue
