# run: launch lanes<<<1,32>>>(A, 5)
# A thread that gdb sees in front of its kernel, which others have entered, has no instruction to go back by: it stays there, and enters forwards.
set scheduler-locking on
stepi 3
thread 3
reverse-stepi
stepi
stepi
# so it does when the others go back, too
thread 4
set scheduler-locking off
reverse-stepi
stepi
