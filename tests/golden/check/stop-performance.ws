# args: -q -c tiny mistakes.ptx
# status: 3
set check-action stop
check all on
buffer x f32[200] = fill 1
buffer z f32[200]
buffer o s32[64] = fill -1
run past<<<4, 64>>>(z, x)
stepi
c
c
run divergent<<<1, 64>>>(o)
c
print o[0]@64
