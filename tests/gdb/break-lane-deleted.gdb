# run: launch lanes<<<1,32>>>(A, 5)
# Of the first breakpoint, deleted before its turn comes, the second lane is not told: only of the other one
monitor break lane
break 70 if $laneid < 2
break 71 if $laneid < 2
continue
continue
delete 1
continue
continue
info breakpoints
