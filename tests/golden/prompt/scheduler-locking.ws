# args: -q -m functional ../../../examples/02-block-sum/block_sum.ptx
# As in gdb: `on` holds all warps but the focused one in every command, `step` in steps, and where that one can't go on the command ends. Going back and
# forth, warps run as they ran: the cycles and sums of the last lines are the same.
set history on
show scheduler-locking
buffer in s32[256] = fill 1
buffer sums s32[2] = zero
launch block_sum<<<2, 128>>>(in, sums)
set scheduler-locking step
sl 3
focus warp 2
stepi 7
info warps
sl 4
n
c 1
reset
launch block_sum<<<2, 128>>>(in, sums)
set scheduler-locking on
until 16
focus block (0,0,0) thread (64,0,0)
continue
continue
info warps
reverse-stepi
info warps
stepi
focus warp 1
run-to-barrier
info warps
goto-cycle 3
info warps
set scheduler-locking off
continue
print $cycle
print sums[0..1]
goto-cycle 3
continue
print $cycle
print sums[0..1]
load ../../../examples/01-saxpy/saxpy.ptx
buffer x f32[64] = iota
launch saxpy<<<1, 64>>>(60, 2.0, x, x, x)
set scheduler-locking on
continue
info warps
continue
