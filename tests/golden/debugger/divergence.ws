# args: ../perf-dumps/split.ptx
# threads whose index is a multiple of four go to ZERO, the others on
buffer out u32[64]
catch divergence
run split<<<1, 64>>>(out)
catch divergence after
info breakpoints
continue
info simt-stack
info divergence
# a lane that waits keeps the focus only if no other fits
delete 1
tcatch divergence after thread (36,0,0)
continue
print %tid.x
continue
info breakpoints
