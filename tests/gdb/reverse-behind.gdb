# run: launch lanes<<<1,32>>>(A, 5)
# A thread that stays behind a breakpoint while another one of its warp goes back to that isn't at that: when the other one steps on it is still where it was.
monitor break warp
break 48
continue
delete
break 47
set scheduler-locking on
reverse-continue
thread 9
print r1
thread 1
stepi
thread 10
print $pc
print r1
