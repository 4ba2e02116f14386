# args: -q -m functional --check sync barriers.ptx
# status: 3
# it stops at the finding, then at the deadlock, in front of which the other barrier's finding is reported
set check-action stop
buffer o s32[128] = zero
run crossed<<<1, 64>>>(o, 0)
c
