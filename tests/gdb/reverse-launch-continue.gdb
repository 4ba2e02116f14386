# run: launch lanes<<<1,64>>>(A, 5)
# A thread that gdb keeps in front of its kernel, through which its warp has gone: when the machine is in front of the kernel again the thread's step leads
# to the first instruction.
set scheduler-locking on
continue
thread 5
reverse-continue
stepi
print $pc
stepi
print $pc
