# warpstep in a gdb without Python: names for what `monitor` can do.
#
#     gdb -x warpstep.gdb -ex 'target remote :1234'
#
# With Python take warpstep.py instead.

# a block that comes into the focus would be a line for each of its threads
set print thread-events off

# warpstep's commands may change what gdb has read: let it read again
define hookpost-monitor
maintenance flush register-cache
maintenance flush dcache
end

# moves warpstep's focus to the thread gdb has selected
define ptx-follow
eval "monitor focus uid %lu", $uid
end
document ptx-follow
Make warpstep's focus the thread selected in gdb.
end

define ptx-lanes
eval "monitor focus uid %lu", $uid
monitor info lanes %$arg0
end
document ptx-lanes
ptx-lanes REGISTER: a register (r1, rd2, f3) in all lanes of the selected thread's warp.
end

define ptx-simt
eval "monitor focus uid %lu", $uid
monitor info simt-stack
end
document ptx-simt
The SIMT stack of the selected thread's warp.
end

define ptx-warps
monitor info cuda warps
end
document ptx-warps
cuda-gdb's table of warps. `monitor info cuda` has devices, sms, lanes, kernels, blocks, threads and barriers too.
end

define ptx-insn
eval "info symbol %lu", $pc + 8 + *(int *)($pc + 4)
end
document ptx-insn
The PTX text of the next instruction.
end

# GPGPU-Sim's macros
define dp
monitor dp $arg0
end
document dp
dp CORE: dump the pipeline of a SIMT core (performance mode).
end

define dm
monitor dm $arg0
end
document dm
dm PARTITION: dump a memory partition (performance mode).
end

define ptxdis
monitor ptxdis $arg0 $arg1
end
document ptxdis
ptxdis START_PC END_PC: PTX between two pcs.
end
