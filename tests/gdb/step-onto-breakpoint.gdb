# args: -m performance
# run: launch lanes<<<2,64>>>(A, 5)
# the step that leads into scale ends when another warp has hit a breakpoint: that is told once, and the next ones, of all four warps
break 57
break scale
continue
next
step
step
info breakpoints
continue
continue
continue
continue
continue
continue
info breakpoints
