# args: -m performance
# run: launch lanes<<<1,64>>>(A, 5)
# Off a breakpoint on a branch, whose other side has one, too, and whose other warp as well: a step shows where the thread goes,
# line 67 for even threads, 65 for odd ones, and it hasn't been there before. Thread 2 is the
# first of its warp that the breakpoint on the branch is told for
break 64
break 65
break 68 if $uid > 32
continue
set scheduler-locking on
stepi
thread 2
stepi
stepi
stepi
set scheduler-locking off
continue
continue
