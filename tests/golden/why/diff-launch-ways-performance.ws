# prompt
# args: -m performance ../../../examples/02-block-sum/block_sum.ptx
# The barrier that is missing: thread 0 (uid 1) reads tile[64], which warp 2 has written (1) in performance mode, and hasn't (0) in functional mode,
# whose warps run one after the other up to a barrier. In its own mode and order the launch is what it was. Nothing of the other ways stays: cycles,
# memory, and how it goes on.
set history on
buffer in s32[256] = fill 1
buffer sums s32[2] = zero
run block_sum<<<2, 128>>>(in, sums)
diff-launch 0 performance
diff-launch 0 functional
diff-launch 0 schedule 1
diff-launch 0 schedule 2
diff-launch 0 schedule default
# a seed's first choice only, and one that it never comes to
diff-launch 0 schedule 1 1 1
diff-launch 0 schedule 1 9000 9001
p $cycle
p sums[0..1]
stats gpu_*
# a launch that hasn't ended: as far as it has come; one before it goes as ever
tbreak block_sum.cu:22
run block_sum<<<2, 128>>>(in, sums)
p $cycle
diff-launch 1 performance
diff-launch 1 functional
diff-launch 0 schedule 1
p $cycle
c
p $cycle
# two that wait for each other: the second one's order doesn't change the first
launch block_sum<<<2, 128>>>(in, sums)
launch block_sum<<<2, 128>>>(in, sums)
diff-launch 3 functional
c
diff-launch 3 schedule 1
diff-launch 2 performance
info launches
diff-launch 0 schedule
diff-launch 0 schedule 0
diff-launch 0 schedule 1 2
diff-launch 0 schedule 1 3 2
diff-launch 0 function
diff-launch 0 functional 1
diff-launch 9 functional
set history off
set history on
diff-launch 0 functional
run block_sum<<<2, 128>>>(in, sums)
diff-launch 0 functional
diff-launch 0 4
