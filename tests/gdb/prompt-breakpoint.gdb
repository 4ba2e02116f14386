# run: break lanes.ptx:12
# run: break lanes.ptx:60
# run: launch lanes<<<1,32>>>(A, 5)
# a breakpoint of warpstep's own prompt stops gdb's commands, also those that step
break 57
continue
next
finish
continue
delete
stepi 10
monitor delete
next
