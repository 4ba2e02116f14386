# args: -m performance
# The same in performance mode.
set history on
load sums.ptx
buffer a u32[64] = zero
catch exit
run sums<<<2, 32>>>(a)
run sums<<<2, 32>>>(a)
rc
info kernels
rc
continue
continue
delete
watch a[3]
break 24
run sums<<<2, 32>>>(a)
continue
continue
stepi
delete
continue
# the last launch that wasn't undone
buffer b u32[64] = zero
run sums<<<1, 32>>>(a)
run sums<<<1, 32>>>(b)
undo
run
info launches
p b[3]
