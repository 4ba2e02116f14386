# run: launch lanes<<<1,32>>>(A, 5)
# the breakpoint at the kernel's first line is for lane 3; the thread that steps there is another one
break 47 if threadIdx.x == 3
next
next
next
info breakpoints
