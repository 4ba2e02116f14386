# Names, sizes and owners of memory belong to a moment: they are as they were where the machine is taken. The focus isn't on a kernel that is only queued there.
set history on
load sums.ptx
buffer first u32[32] = zero
launch sums<<<1, 32>>>(first)
launch sums<<<1, 32>>>(first)
break sums if $uid == 33
continue
delete
goto-cycle 7
focus
continue
delete buffer first
buffer second u32[16] = iota
buffer second u32[64] = iota
run sums<<<1, 32>>>(second)
info buffers
checkpoint later
goto-cycle 20
info buffers
p first[3]
# the way to the checkpoint is another one than what is done now: its names come back with it
buffer other f32[32] = fill 1
info buffers
run sums<<<1, 32>>>(other)
info buffers
restart later
info buffers
p second[20]
rs 10
info buffers
goto-cycle 20
info buffers
undo 2
info buffers
