# run: launch lanes<<<1,64>>>(A, 5)
# One breakpoint right behind another: each lane is told of both
monitor break lane
break 70 if $laneid < 2
break 71 if $laneid < 2
continue
continue
continue
continue
continue
continue
continue
continue
info breakpoints
continue
