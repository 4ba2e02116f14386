# args: -m performance
# run: launch lanes<<<2,64>>>(A, 5)
# Other warps get to the breakpoint while gdb takes one lane over it: they wait until all lanes of the first one have been told.
# Three lanes in each of four warps are twelve.
monitor break lane
break 70 if $laneid < 3
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
