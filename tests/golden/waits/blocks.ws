# args: -q -m functional waits.ptx
# Blocks that wait for each other make progress, and a hand-over costs some hundred instructions: $cycle says how many in all.
buffer S u32[21] = zero
run grid_barriers<<<15, 64>>>(S, 20)
assert S[0] == 15 && S[19] == 15 && S[20] == 0
reset
set S[0] = 0
# the same code without a wait: 40 instructions for each block and barrier; at most 20 times that
run grid_barriers<<<1, 64>>>(S, 20)
set $alone = $cycle
reset
run grid_barriers<<<60, 64>>>(S, 20)
assert $cycle <= 20 * 60 * $alone
reset
buffer T s32[1] = zero
run token<<<2, 1>>>(T, 2000)
assert T[0] == 4000
assert $cycle < 4000 * 500
reset
buffer L s32[4] = zero
buffer O s32[200] = zero
run make_latch<<<1, 1>>>(L, 60)
run wait_latch<<<60, 64>>>(L, O)
assert O[0] == 60 * 64
buffer SE s32[64] = zero
buffer BI s32[64] = zero
buffer A u32[1] = zero
buffer SUM s32[1] = zero
run make_semaphore<<<1, 1>>>(SE, BI)
run wait_semaphore<<<60, 32>>>(SE, BI, A, SUM)
assert SUM[0] == 59
# growing times to sleep, clocks
buffer K s32[1] = zero
set SUM[0] = 0
run sleep_lock<<<60, 64>>>(K, SUM)
assert SUM[0] == 60
buffer D s32[60] = zero
run clock_chain<<<60, 64>>>(D)
assert D[0] == 1
# each cell waits for its parent's place, and the root is the last thread's
reset
buffer ST s32[5000]
buffer CO s32[5000]
run count_cells<<<1, 1>>>(5000, ST, CO)
set $from = $cycle
run place_cells<<<90, 64>>>(5000, ST, CO)
assert ST[1] == 1 && ST[2] == 1 + CO[1] && ST[4999] == 1816
assert $cycle - $from < 1000000
