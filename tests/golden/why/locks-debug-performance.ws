# args: -m performance
# status: 4
# Without optimisation, where the atomics stand in functions of the toolkit: the same locks, holders and circles, at the lines of the source
set history on
load locks-debug.ptx
buffer a s32[1] = zero
buffer b s32[1] = zero
buffer met s32[1] = zero
buffer sum s32[1] = zero
run opposite<<<2,32>>>(a,b,met,sum)
why hang
kill
# the holder has exited; an exchange that writes the same value takes no lock
run leaves<<<1,64>>>(sum)
kill
# in shared memory, by a thread that waits at a barrier
run in_barrier<<<1,64>>>(sum)
kill
# a flag: who has written it last
set met[0] = 0
run flag<<<2,32>>>(met,a)
kill
# one that has been taken for ever: no thread has
set a[0] = 1
run opposite<<<2,32>>>(a,b,met,sum)
# without history
kill
set history off
run leaves<<<1,64>>>(sum)
