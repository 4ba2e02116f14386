# run: launch lanes<<<1,64>>>(A, 5)
# A thread waits in the barrier, as other warps have stopped before they came there: its next step lasts until the barrier opens.
break 55 if threadIdx.x == 0
continue
break 50 if threadIdx.x == 40
set scheduler-locking on
stepi
info threads 1
stepi
stepi
set scheduler-locking off
continue
