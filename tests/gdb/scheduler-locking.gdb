# run: launch lanes<<<2,64>>>(A, 5)
break 57
continue
set scheduler-locking on
stepi
thread 2
info line
stepi
info line
thread 1
info line
