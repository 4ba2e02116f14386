# args: -q -m performance waits.ptx
# status: 4
# Performance mode: waits that no warp ends, whatever they count, and a wait that ends by itself
load deadlocks.ptx
buffer K s32[64] = zero
buffer F s32[1] = zero
buffer O s32[200] = zero
buffer L s32[4] = zero
run make_latch<<<1, 1>>>(L, 4)
run wait_latch<<<3, 32>>>(L, O)
assert $cycle < 200000
reset
run wait_counting<<<2, 32>>>(F, O)
assert $cycle < 100000
reset
run lock_round<<<1, 256>>>(K)
assert $cycle < 100000
reset
run wait_for_last<<<200, 64>>>(F, O)
assert $cycle < 300000
reset
run wait_a_while<<<2, 64>>>(F, O, 20000)
assert O[0] == 20000
