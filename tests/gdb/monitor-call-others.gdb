# run: launch lanes<<<1,32>>>(A, 5)
# a list of threads reads nothing but where they are; `monitor` moves them before gdb reads more: f1 is the lane's number, in the kernel
break 57
continue
info threads 1-3
monitor stepi
thread 3
print f1
maintenance flush register-cache
backtrace
up
print f1
# threads that gdb doesn't resume stay for it as it has read them
delete
break 58
continue
delete
set scheduler-locking on
info threads 1-4
stepi
monitor stepi 4
thread 4
print f1
maintenance flush register-cache
backtrace
up
print f1
