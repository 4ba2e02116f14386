# run: launch lanes<<<1,64>>>(A, 5)
# While lanes are still to be told a thread of another warp enters its kernel by itself: they are told afterwards, nevertheless.
monitor break lane
break 51 if $uid >= 3 && $uid <= 5
continue
set scheduler-locking on
thread 40
stepi
set scheduler-locking off
continue
continue
continue
