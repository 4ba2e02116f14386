# args: step-spinning.ptx
# prompt
# A warp that can go on is stepped after a deadlock was reported, too: one that spins, until what it waits for comes, and one of another
# block.
buffer flags u32[1] = zero
run spin<<<1, 64>>>(flags)
stepi
stepi
stepi
stepi
set var flags[0] = 1
continue
run apart<<<2, 64>>>()
cuda block 1
stepi
stepi 4
continue
