# kernel: ../../examples/02-block-sum/block_sum.ptx
# run: set source ptx
# run: buffer in s32[256] = fill 1
# run: buffer sums s32[2] = zero
# run: launch block_sum<<<2,128>>>(in, sums)
# lines of PTX, then of CUDA without attaching again, then of PTX
tbreak block_sum
continue
stepi
break block_sum.cu:16
file target:/warpstep/cuda
frame
continue
next
print in[0]@3
info symbol $pc
file target:/warpstep/ptx
frame
info breakpoints
next
