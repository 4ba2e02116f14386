# run: launch lanes<<<1,32>>>(A, 5)
# gdb steps thread 2 off the breakpoint before thread 1, which waits for the other side of the branch.
break 65
continue
thread 1
stepi
info threads 1 2
