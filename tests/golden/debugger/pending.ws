# A condition on a pending breakpoint is looked at when the place appears.
b vecadd.ptx:33 if %f3 == 5
b vecadd if nobody == 1
info breakpoints
load ../contract/vecadd.ptx
info breakpoints
