# args: -q -m functional deadlocks.ptx
# status: 4
# Waits that nobody ends, whatever they count, and waits that end by themselves
buffer K s32[64] = zero
buffer F s32[1] = zero
buffer O s32[200] = zero
run lock_twice<<<1, 64>>>(K)
assert $cycle < 5000
reset
set var K[0] = 0
run lock_round<<<1, 256>>>(K)
reset
run wait_for_last<<<200, 64>>>(F, O)
assert $cycle < 200000
reset
run wait_a_while<<<2, 64>>>(F, O, 20000)
assert O[0] == 20000
reset
load waits.ptx
buffer L s32[4] = zero
run make_latch<<<1, 1>>>(L, 4)
run wait_latch<<<3, 32>>>(L, O)
reset
run wait_counting<<<2, 32>>>(F, O)
