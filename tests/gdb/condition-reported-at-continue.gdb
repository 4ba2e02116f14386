# args: -m performance
# run: launch lanes<<<2,64>>>(A, 5)
# gdb looks at the condition itself. It takes each thread off its breakpoint by a step; a watched register of another warp doesn't make that step
# happen, so nobody's view gets stale, and each continue reports the next lane that fulfils the condition.
break 52 if f1 == 1 || f1 == 33
continue
watch r4
continue
continue
continue
info breakpoints
