# args: -q -m performance debug.ptx
# status: 4
# The same without optimisation
buffer K s32[64] = zero
buffer F s32[1] = zero
buffer O s32[200] = zero
run lock_twice<<<1, 64>>>(K)
assert $cycle < 100000
reset
set var K[0] = 0
run lock_round<<<1, 256>>>(K)
assert $cycle < 100000
reset
run wait_a_while<<<1, 32>>>(F, O, 2000)
assert O[0] == 2000
reset
set var K[0] = 1
run lock_twice<<<1, 32>>>(K)
stepi
why hang
set var K[0] = 0
why hang
