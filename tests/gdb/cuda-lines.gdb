# kernel: ../../examples/02-block-sum/block_sum.ptx
# run: set source cuda
# run: buffer in s32[256] = fill 1
# run: buffer sums s32[2] = zero
# run: launch block_sum<<<2,128>>>(in, sums)
list block_sum
break block_sum.cu:16
continue
next
info line
next
next
info symbol $pc
print in[0]@3
backtrace
finish
