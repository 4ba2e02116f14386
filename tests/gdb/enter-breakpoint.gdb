# args: -m performance
# run: launch lanes<<<1,64>>>(A, 5)
# a thread that steps into its kernel, onto a breakpoint, is told of it once; the other warp, which comes there too, once
break 47
stepi
next
continue
next
info breakpoints
continue
