# args: -q -m functional --check sync passers.ptx
# status: 3
# it stops where the lanes exit; what it goes on to is the same
set check-action stop
buffer o s32[64] = zero
run half<<<1, 32>>>(o, 0)
info warps
c
print o[0]@64
