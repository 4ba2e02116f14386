# args: -q -m performance -c tiny rounds.ptx
# status: 3
# at a race `rc` goes to the other access: in front of it, on its thread, to be looked at; a breakpoint in between comes first
set history on
set check-action stop
check race on
buffer o s32[64] = zero
run buffers<<<1, 64>>>(o, 0)
rc
print %r9
print shared[0]
c
c
rc
info findings
c
# in between: thread 0's next barrier
break *(buffers+0xb8)
rc
rc
delete
c
c
c
# of another block
run same<<<2, 32>>>(o, 0)
rc
c
# past a stop that isn't a race's
rc
