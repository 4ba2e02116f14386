# args: -q -m performance latch-g.ptx
# status: 4
# A latch of 4 that 3 blocks count down, without optimisation: the loop's calls count, read clocks and sleep, by branches on what they have counted
buffer L s32[4] = zero
buffer O s32[1] = zero
run make_latch<<<1, 1>>>(L, 3)
run wait_latch<<<3, 32>>>(L, O)
assert O[0] == 96
reset
run make_latch<<<1, 1>>>(L, 4)
run wait_latch<<<3, 32>>>(L, O)
assert $cycle < 1500000
