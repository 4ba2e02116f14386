# run: launch lanes<<<1,64>>>(A, 5)
# Where gdb sees threads that it doesn't let run, they stay while another one of their warp goes back: at a hit, too, and with the registers of then.
# One that is stepped back itself goes to the instruction in front of the place at which gdb sees it. A step on takes those that have stayed to the machine.
monitor break lane
break 52
continue
delete
set scheduler-locking on
stepi
stepi
reverse-stepi
print $pc
thread 2
print $pc
print r2
thread 3
stepi
thread 1
stepi
stepi
stepi
thread 3
print $pc
reverse-stepi
print $pc
thread 1
stepi
print $pc
# a barrier that it waits in is behind a thread, for gdb
advance 55
stepi
print $pc
reverse-stepi
print $pc
