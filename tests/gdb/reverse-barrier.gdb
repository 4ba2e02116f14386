# run: launch lanes<<<1,64>>>(A, 5)
# To gdb a thread in a barrier is behind that, where a breakpoint may be that it hasn't hit yet. Back from there it comes in front of the barrier.
break 55
break 57 if threadIdx.x >= 33
continue
stepi
reverse-stepi
print $pc
