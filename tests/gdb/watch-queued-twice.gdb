# run: launch lanes<<<1,32>>>(A, 5)
# a register that has changed twice while another lane was stepped alone is told once: the next step moves the thread
break 58
continue
delete
thread 2
watch r8
thread 1
set scheduler-locking on
stepi 12
print r8
set scheduler-locking off
stepi
print r8
thread 1
stepi
info line
