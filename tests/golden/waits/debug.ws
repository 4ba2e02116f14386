# args: -q -m functional debug.ptx
# status: 4
# The same without optimisation; steps end with the report, too
buffer K s32[64] = zero
buffer F s32[1] = zero
buffer O s32[200] = zero
run lock_twice<<<1, 64>>>(K)
assert $cycle < 30000
reset
set var K[0] = 0
run lock_round<<<1, 256>>>(K)
reset
run wait_for_last<<<130, 32>>>(F, O)
reset
run wait_a_while<<<1, 32>>>(F, O, 2000)
assert O[0] == 2000
reset
set var K[0] = 1
launch lock_twice<<<1, 32>>>(K)
next 100
reset
launch lock_twice<<<1, 32>>>(K)
break take
c
finish
why
# a step in its loop doesn't end the deadlock, other memory does
stepi
why hang
next
why hang
stepi 50
why hang
until
until
why hang
set var K[0] = 0
why hang
reset
# lines of a loop that reads memory itself
delete
run wait_for_last<<<130, 32>>>(F, O)
next
next
pipe why hang | head -1
until
until
pipe why hang | head -1
