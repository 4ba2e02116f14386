# run: launch lanes<<<1,64>>>(A, 5)
# A thread that waits in a barrier is shown inside of it. Back from there it comes in front of the barrier.
break 55
break 57 if threadIdx.x >= 33
continue
stepi
reverse-stepi
print $pc
