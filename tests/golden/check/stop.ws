# args: -q -m functional mistakes.ptx
# status: 3
# each new finding stops in front of it; to go on in any way passes it
set check-action stop
check memory,sync on
buffer x f32[200] = fill 1
buffer z f32[200]
buffer o s32[64] = fill -1
run past<<<4, 64>>>(z, x)
print $pc
stepi
c
step 2
c
print z[199]
run missing<<<1, 32>>>(o)
info barriers
c
# off: the exception again
check sync off
run missing<<<1, 32>>>(o)
