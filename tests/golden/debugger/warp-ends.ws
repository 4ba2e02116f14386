# prompt
# args: -m functional ../../../examples/02-block-sum/block_sum.ptx
# A command that runs to a place of the focused warp ends with that warp, as `next` does, and doesn't run on through later launches.
set source cuda
buffer in s32[64] = fill 1
buffer sums s32[2] = zero
launch block_sum<<<1, 64>>>(in, sums)
launch block_sum<<<1, 64>>>(in, sums)
# after the last barrier
tbreak 22
continue
run-to-barrier
info launches
reset
launch block_sum<<<1, 64>>>(in, sums)
launch block_sum<<<1, 64>>>(in, sums)
# after the last access, of the kernel's first warp and of its last one
tbreak 22
continue
run-to-access
run-to-access
run-to-access
focus thread (32,0,0)
run-to-exit
run-to-access
info launches
reset
launch block_sum<<<1, 64>>>(in, sums)
launch block_sum<<<1, 64>>>(in, sums)
run-to-exit
advance 12
info launches
reset
launch block_sum<<<1, 64>>>(in, sums)
launch block_sum<<<1, 64>>>(in, sums)
run-to-exit
until 12
info launches
# a breakpoint of the same warp on the way still stops it
reset
launch block_sum<<<1, 64>>>(in, sums)
tbreak 22
run-to-exit
run-to-exit
run-to-exit
# a function that doesn't return: neither to its caller nor to the next line
load leaves.ptx
buffer a s32[64] = zero
reset
launch calls<<<1, 64>>>(a)
launch calls<<<1, 64>>>(a)
focus kernel 0
tbreak leaves
continue
finish
info launches
reset
launch calls<<<1, 64>>>(a)
launch calls<<<1, 64>>>(a)
focus kernel 0
tbreak leaves.cu:12
continue
next
info launches
reset
launch calls<<<1, 64>>>(a)
launch calls<<<1, 64>>>(a)
focus kernel 0
tbreak leaves.cu:12
continue
until 14
info launches
