# run: launch lanes<<<1,32>>>(A, 5)
# The way back undoes a write that gdb was never told of, of another thread's, in front of an instruction at which there is a breakpoint: that one is reported
# where gdb finds nothing new in the other.
monitor break lane
break 51 if $laneid < 5
thread 18
watch r2
continue
next
reverse-continue
reverse-continue
# where it does, it is reported after that
reverse-continue
reverse-continue
reverse-continue
reverse-continue
monitor break warp
continue
continue
reverse-continue
reverse-continue
reverse-continue
