# prompt
# args: -m functional ../../../examples/02-block-sum/block_sum.ptx
# Checkers that are switched on when history has begun: going back to before that, and on.
set history on
buffer in s32[256] = fill 1
buffer sums s32[2] = zero
check all on
set check-action report
b block_sum.cu:22 if $cycle % 2
run block_sum<<<2, 128>>>(in, sums)
rn
p $cycle
why %r1
c
c
p sums[0..1]
