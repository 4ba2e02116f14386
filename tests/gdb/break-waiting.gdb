# run: launch lanes<<<1,32>>>(A, 5)
# A lane stepped over a branch waits at its side's first line until the other side has run: it has not got there yet. Each line is
# reached once.
break 64 if threadIdx.x == 1
continue
break 65
break 68
continue
continue
info breakpoints
continue
delete 3
monitor launch lanes<<<1,32>>>(A, 5)
# by a step too it is told of when its lanes run
continue
stepi
print/x $active
continue
