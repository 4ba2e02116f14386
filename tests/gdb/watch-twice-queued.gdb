# args: -m performance
# run: launch lanes<<<1,64>>>(A, 5)
# While a thread of another warp goes on by itself, a watched register is written several times: gdb is told once, and finds the last value; the
# step behind that is one
break 57
continue
delete 1
watch r8
thread 40
break 63 if r1 == 39
set scheduler-locking on
continue
set scheduler-locking off
continue
stepi
