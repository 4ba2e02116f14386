# args: -q -m performance calls.ptx
# status: 3
# Waits whose calls, or whose branches to calls, count: those that end by themselves do, and the others are deadlocks
buffer F s32[2] = zero
buffer O s32[200] = zero
run ends_itself<<<1, 32>>>(F, O)
assert O[0] == 5000
set F[0] = 0
run ends_by_call<<<1, 32>>>(F, O, 3000)
assert O[0] > 3000 && O[0] <= 3000 + 16
run ends_by_result<<<1, 32>>>(F, O, 3000)
assert O[0] == 3000 + 1
run ends_by_pointer<<<1, 32>>>(F, O, 3000)
assert O[0] > 3000 && O[0] <= 3000 + 16
# each 8 rounds add 2 to the element: those with 6 and 7
run ends_by_element<<<1, 32>>>(F, O, 3000 / 10)
assert O[0] == 3000 / 10 * 4
run ends_by_address<<<1, 32>>>(F, O, 3000)
assert O[0] == 3000 + 1 + 100000
run ends_by_struct<<<1, 32>>>(F, O, 3000)
assert O[0] == 3000 + 1
run ends_by_trap<<<1, 32>>>(F, 3000)
kill
reset
run either<<<1, 1>>>(F)
assert $cycle < 100000
reset
run wait_counting<<<2, 32>>>(F, O)
assert $cycle < 100000
reset
run wait_by_parity<<<2, 32>>>(F, O)
assert $cycle < 100000
