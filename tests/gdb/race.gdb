# kernel: ../../examples/02-block-sum/block_sum.ptx
# run: buffer in s32[256] = fill 1
# run: buffer sums s32[2] = zero
# run: check race on
# run: launch block_sum<<<2, 128>>>(in, sums)
# A race is a stop with its text on the console; reverse-continue goes to the other access, continue comes back to the finding.
continue
info line
reverse-continue
monitor info findings
continue
monitor focus uid 1
continue
