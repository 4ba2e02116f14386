# run: launch lanes<<<1,32>>>(A, 5)
# A lane that waits for the other side of a branch is moved by `stepi`, however long that takes; and it hasn't moved because another lane
# of its warp has been stepped alone.
break 65
continue
delete
set scheduler-locking on
stepi
thread 1
stepi
thread 2
stepi
