# args: -m performance ways-g.ptx -x values.cmd
# status: 4
# Lanes of one warp that wait for each other make progress; locks that are crossed, or kept, are deadlocks all the same.
set L[0] = 0
buffer has s32[2] = zero
run crossed<<<1, 32>>>(L, has)
assert has[0] == 1 && has[1] == 1
kill
set L[0] = 0
run kept<<<1, 32>>>(L, out)
why
info simt-stack
