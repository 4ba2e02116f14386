# run: launch lanes<<<1,64>>>(A, 5)
# A breakpoint at the last instruction: the lanes that are told after their warp, or the whole kernel, has ended
monitor break lane
break 70 if $laneid > 28
break 73 if $laneid > 28
commands 1-2
silent
end
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
continue
