# run: launch lanes<<<1,32>>>(A, 5)
# gdb takes the thread that has hit a breakpoint over it before it lets the chosen one run: what comes next is told for the chosen one
break 49
break 52
continue
thread 20
continue
thread 3
next
thread 7
stepi
tbreak 62
continue
