# undo takes steps back back, too, after the past was changed: what came after that moment is kept as long as undo leads there.
set history on
load sums.ptx
buffer a u32[64] = zero
run sums<<<1, 32>>>(a)
rs 10
rs 5
set a[0] = 77
p a[0]
undo
p $cycle
undo
p $cycle
undo
p $cycle
p a[0]
undo
p $cycle
# launches that the change discarded come again with it; the change itself can be made again on the other way
buffer a u32[64] = zero
run sums<<<1, 32>>>(a)
buffer b u32[64] = zero
run sums<<<1, 32>>>(b)
rs 50
set a[0] = 500
continue
info buffers
print a[0]
undo 2
undo
info buffers
print b[3]
info launches
rs 50
info buffers
continue
print a[0]
