# run: launch lanes<<<1,64>>>(A, 5)
# Lanes enter their kernel one by one while their warp hasn't begun to run. Lane 13, which gdb itself finds at the breakpoint of the first
# line, is not told of it again when its warp gets there with the others; lane 1 is, as nobody has been told of it.
monitor break lane
set scheduler-locking on
break *0x8000078 if threadIdx.x % 3 == 1
break 53 if threadIdx.x == 13
thread 9
stepi
thread 14
stepi
next
thread 35
next
thread 14
stepi
continue
thread 2
continue
info breakpoints
