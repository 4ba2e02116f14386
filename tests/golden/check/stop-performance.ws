# args: -q -m performance -c tiny mistakes.ptx
# status: 3
# the other warp's store is wrong before the step of the stopped one is over: its finding stops, and is the last new one
set check-action stop
check all on
buffer x f32[200] = fill 1
buffer z f32[200]
buffer o s32[64] = fill -1
run past<<<4, 64>>>(z, x)
stepi
c
run divergent<<<1, 64>>>(o)
c
print o[0]@64
