# args: -m functional --check all
# status: 3
# An atomic outside of all memory is one finding, the memory checker's: what is there isn't uninitialised, there is nothing.
set check-action report
load outside.ptx
buffer count u32[4] = zero
run add<<<1, 8>>>(count)
print count
info findings
