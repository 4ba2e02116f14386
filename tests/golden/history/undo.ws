# args: -m functional -c tiny sums.ptx
# commands that changed the machine are taken back, the last one first; settings and breakpoints stay
set history on
undo
buffer sum u32[64] = zero
buffer other f32[3] = {1, 2, 3}
set sum[1] = 7
print sum[1]
undo
print sum[1]
launch sums<<<1, 64>>>(sum)
break 25
c
set %r2 = 4
print %r2
undo
print %r2
stepi 3
undo
undo
undo
info buffers
undo 1
undo
info buffers
info breakpoints
undo
