# run: launch lanes<<<1,32>>>(A, 5)
# what reads `out` leads to a breakpoint: gdb tells of both, and of the breakpoint not once more when it steps on
stepi
break 48
rwatch out
continue
stepi
next
info breakpoints
delete
# what writes an element of A does, too; the same when everybody goes on
break 73
watch *(float *)0x80000004
continue
info breakpoints
continue
