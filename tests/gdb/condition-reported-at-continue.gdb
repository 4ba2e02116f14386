# args: -m performance
# run: launch lanes<<<2,64>>>(A, 5)
# gdb looks at the condition itself, and after each step at the watchpoint: the step that takes a thread off its breakpoint lets other warps hit
# it, and that is reported at the `continue` after it, each for the lane that fulfils it
break 52 if f1 == 1 || f1 == 33
continue
watch r4
continue
continue
continue
info breakpoints
