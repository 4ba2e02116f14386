# run: launch lanes<<<1,64>>>(A, 5)
# A watchpoint's stop that comes while another thread goes on alone is told when everybody may run, though gdb has taken the watchpoint out
# and put it in again meanwhile.
break 58
continue
delete
thread 3
watch r8
thread 1
set scheduler-locking on
stepi
stepi
stepi
set scheduler-locking off
continue
info watchpoints
continue
