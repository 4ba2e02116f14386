# kernel: statics-1.ptx
# run: load statics-2.ptx
# run: buffer out s32[32] = zero
# run: set source cuda
# run: launch statics1<<<1,32>>>(out)
# run: launch statics2<<<1,32>>>(out)
# what two files have by the same name is the one's or the other's by where the thread is
break helper
continue
print same
print &same
monitor print same
print 'statics-2.cu'::same
set var same = 5
continue
print same
print &same
monitor print same
delete
file target:/warpstep/ptx
print same
print &same
continue
print out[1]
