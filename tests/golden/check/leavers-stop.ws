# args: -q -m functional --check sync leavers.ptx
# status: 3
# it stops once at the instruction, in front of it, and goes on without the lanes; back in time it is found again
set check-action stop
buffer o s32[64] = zero
run below<<<1, 32>>>(o, 8, 0)
print $_findings
c
print o[16]@16
print $_findings
