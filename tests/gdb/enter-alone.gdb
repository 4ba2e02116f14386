# run: launch lanes<<<1,64>>>(A, 5)
# One lane enters its kernel by itself: the others are still in front of it for gdb, which knows the first one's pc from attaching and
# aborted when it found another one
set scheduler-locking on
thread apply 2-3 stepi
info threads 1-4
up
stepi
info threads 1-4
