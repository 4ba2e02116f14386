# prompt
# args: -m performance --check all ../../../examples/02-block-sum/block_sum.ptx
# Looking at a finding changes nothing: `c` goes on from it, what was told isn't told again, and the kernel ends in the same cycle as without.
set history on
set check-action stop
buffer in s32[256] = fill 1
buffer sums s32[2] = zero
run block_sum<<<2, 128>>>(in, sums)
p $_findings
why %r1 1
who-wrote in[3]
diff-launch 0 functional
p $_findings
c
p $cycle
why sums[0] 1
diff-launch 0 schedule 1
p $_findings
run block_sum<<<2, 128>>>(in, sums)
p $cycle
