# args: returns.ptx
# Watching registers that only the return of a call writes: thread 3 gets 6, then 2 * (3 * 2 + 6) = 24; thread 1 gets 1, then 14.
buffer to s32[4] = zero
launch returns<<<1, 4>>>(to)
focus thread 3
watch %r3
c
p %r3
c
c
delete
launch returns<<<1, 4>>>(to)
focus thread 3
watch %p1
c
c
delete
c
launch returns<<<1, 4>>>(to)
focus thread 1
awatch %r3
c
c
c
c
c
p to[0..3]
