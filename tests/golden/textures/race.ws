# args: --check race
# status: 3
load filter.ptx
surface S u32[4,2]
texture U of S
set check-action stop
run collide<<<2, 32>>>(S)
