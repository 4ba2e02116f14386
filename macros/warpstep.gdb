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

# reasons, of the thread gdb has selected
define ptx-ask
if $_thread != 0
ptx-follow
end
if $argc == 1
monitor $arg0
end
if $argc == 2
monitor $arg0 $arg1
end
if $argc == 3
monitor $arg0 $arg1 $arg2
end
if $argc == 4
monitor $arg0 $arg1 $arg2 $arg3
end
if $argc == 5
monitor $arg0 $arg1 $arg2 $arg3 $arg4
end
end
document ptx-ask
ptx-ask COMMAND [WORD]...: what warpstep says to a command of up to five words, of the selected thread.
end

define why
if $argc == 0
ptx-ask why
end
if $argc == 1
ptx-ask why $arg0
end
if $argc == 2
ptx-ask why $arg0 $arg1
end
if $argc == 3
ptx-ask why $arg0 $arg1 $arg2
end
if $argc == 4
ptx-ask why $arg0 $arg1 $arg2 $arg3
end
end
document why
why [EXPR [DEPTH]], why warp N [core N], why barrier, why hang, why request N: where a value comes from; what a warp waits for.
end

define who-wrote
if $argc == 1
ptx-ask who-wrote $arg0
end
if $argc == 3
ptx-ask who-wrote $arg0 $arg1 $arg2
end
end
document who-wrote
who-wrote LVALUE: who has written memory or a PTX register last.
end

define find-nan
if $argc == 0
ptx-ask find-nan
end
if $argc == 1
ptx-ask find-nan $arg0
end
end
document find-nan
find-nan [EXPR | BUFFER]: the instruction at which a NaN or an infinity was born.
end

define diff-launch
if $argc == 2
ptx-ask diff-launch $arg0 $arg1
end
if $argc == 3
ptx-ask diff-launch $arg0 $arg1 $arg2
end
end
document diff-launch
diff-launch A B, diff-launch A functional|performance, diff-launch A schedule SEED: the first result that differs.
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
