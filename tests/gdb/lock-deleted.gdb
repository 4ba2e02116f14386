# run: launch lanes<<<1,64>>>(A, 5)
# A breakpoint under a warp is deleted before its lanes are stepped one by one: each step moves its lane
set scheduler-locking on
continue
thread 50
info line
thread 1
break 57 if $laneid < 8
continue
delete
thread 50
stepi
thread 35
stepi
stepi
