# kernel: statements.ptx
# run: launch waits<<<1,64>>>(A)
# A thread at a barrier is on the barrier's line; a step from there leads to the line behind the barrier.
break statements.cu:28 if threadIdx.x == 0
continue
set scheduler-locking on
stepi
info threads 1
set scheduler-locking off
next
info threads 1
next
