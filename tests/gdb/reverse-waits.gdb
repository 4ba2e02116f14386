# run: launch lanes<<<1,32>>>(A, 5)
# A thread that waits for the other side of a branch goes back to its own last instruction. A breakpoint of the other side's ends nothing, where its
# warp comes to that first: neither when others go back, too,
break 66
continue
delete
break 65
thread 1
reverse-stepi
delete
break 66
continue
delete
break 65
# nor when they don't
set scheduler-locking on
thread 1
reverse-stepi
reverse-stepi
