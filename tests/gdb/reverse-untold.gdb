# run: launch lanes<<<1,32>>>(A, 5)
# One instruction writes two places that are watched, and gdb is told of the first one before it goes back. It knows no later value of the other one:
# that both are undone is news of the first one only, and the next step back is one.
watch A[3]
watch A[5]
continue
reverse-stepi
reverse-stepi
continue
reverse-continue
stepi
stepi
# both were told: both are undone for gdb. Made again, the second one isn't told as undone
reverse-stepi
stepi
stepi
reverse-stepi
stepi
# what a step of one thread has made again isn't told as undone either, by which others would be stopped where they are
delete
awatch A[4]
awatch A[7]
reverse-stepi
set scheduler-locking on
thread 9
stepi
set scheduler-locking off
continue
continue
continue
