# run: launch lanes<<<1,32>>>(A, 5)
# Lane 1 goes over the branch and waits at line 65, where a breakpoint is, until the other side has run, which stops at a breakpoint,
# too: lane 1 is shown at its line, without a hit that it hasn't made yet.
break 64 if threadIdx.x == 1
continue
break 65
break 68
stepi
bt
print r5
thread 1
continue
thread 2
info breakpoints
stepi
info breakpoints
print r5
continue
