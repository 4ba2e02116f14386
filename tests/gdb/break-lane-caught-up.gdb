# run: launch lanes<<<2,32>>>(A, 5)
# Lane 2 is seen where the kernel begins while lane 0 gets to its second hit. It catches up to its first one, which gdb finds
# itself, and is still to be told of the second one, at the same breakpoint: also if gdb has forgotten the thread, as it looked at another
# block.
monitor break lane
break 59 if threadIdx.x < 3 && blockIdx.x == 0
commands
silent
printf "thread %d: r8 %d\n", $uid, r8
end
set scheduler-locking on
thread 2
next
thread 1
continue
continue
thread 3
next
thread 1
stepi
monitor focus block 1
info threads 3 33
set scheduler-locking off
continue
continue
continue
continue
continue
continue
continue
continue
continue
continue
continue
continue
info breakpoints
