# kernel: callee.ptx
# args: -m performance
# run: launch callee<<<2,96>>>(A)
# a step among breakpoints that six warps come to at once: each warp hits each breakpoint once, and is told of that once
break 17
break 18
break 19
continue
continue
nexti
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
continue
continue
continue
continue
info breakpoints
