# run: launch lanes<<<2,64>>>(A, 5)
# a thread its user has selected stays one for gdb when its launch is killed, whatever gdb asks of others meanwhile: else nothing could be run
thread 33
monitor kill
info threads
thread find lane 5
next
monitor launch lanes<<<1,32>>>(A, 5)
next
