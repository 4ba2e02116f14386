# run: launch lanes<<<1,32>>>(A, 5)
# Threads that gdb doesn't let run stay for it where they are while another one of their warp goes back; stepped back in their turn they come to where that is.
break 58 thread 1
continue
continue
delete
set scheduler-locking on
print r8
reverse-stepi
print $pc
thread 2
print $pc
print r8
reverse-stepi
print $pc
thread 1
print $pc
reverse-stepi
print $pc
set scheduler-locking off
stepi
thread 2
print $pc
