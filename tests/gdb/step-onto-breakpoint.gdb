# args: -m performance
# run: launch lanes<<<2,64>>>(A, 5)
# the step that leads into scale ends when another warp is at a breakpoint: the hit in scale is told once all the same
break 57
break scale
continue
next
step
step
info breakpoints
