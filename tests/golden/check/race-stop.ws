# args: -q -m functional rounds.ptx
# status: 3
# both threads of a race can be looked at
set check-action stop
check race on
buffer o s32[64] = zero
run buffers<<<1, 64>>>(o, 0)
focus
focus uid 33
c
