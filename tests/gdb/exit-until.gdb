# kernel: moving.ptx
# run: set source cuda
# run: launch moving<<<1,64>>>(A, 70)
# a thread that has exited is at the closing brace of the PTX: without a line there gdb 13 would look for one for ever
tbreak moving.cu:15
continue
set scheduler-locking on
next
until
