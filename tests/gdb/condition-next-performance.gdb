# kernel: callee.ptx
# args: -m performance
# run: launch callee<<<1,64>>>(A)
# the same with two warps, which come to the first breakpoint in the same cycles: each is told of there
break 17
break 18 if r2 == 105
break double_it if ri == 109
continue
continue
continue
next
continue
info breakpoints
