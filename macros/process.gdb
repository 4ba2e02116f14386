# GPGPU-Sim's gdb macros by their names, for a gdb attached to the simulator process itself: they call the simulator's own functions.
#
#     gdb -x process.gdb --args warpstep -m performance ...
#
# Stop it anywhere main is on the stack (Ctrl-C will do). For a gdb on warpstep's server take gpgpusim.gdb.

# $arg0 a debug_cmd_* function; its arguments are in $ws_args
define ws-call
set $ws_out = (struct text *) calloc(1, sizeof(struct text))
set $ws_why = (struct text *) calloc(1, sizeof(struct text))
set $ws_ok = (int) $arg0(main::r.dbg, $ws_args, $ws_out, $ws_why)
if $ws_ok
printf "%s", $ws_out->s
else
printf "error: %s\n", $ws_why->s
end
call (void) text_free($ws_out)
call (void) text_free($ws_why)
call (void) free($ws_out)
call (void) free($ws_why)
end
document ws-call
ws-call FUNCTION: calls one of warpstep's commands with the text $ws_args and prints what it says.
end

define dp
eval "set $ws_args = \"%d\"", $arg0
ws-call debug_cmd_dp
end
document dp
dp CORE: dump the pipeline of a SIMT core.
end

define dpc
dp $arg0
continue
end
document dpc
dpc CORE: dump the pipeline of a SIMT core, then continue.
end

define dm
eval "set $ws_args = \"%d\"", $arg0
ws-call debug_cmd_dm
end
document dm
dm PARTITION: dump a memory partition.
end

define dicnt
set $ws_args = ""
ws-call debug_cmd_dicnt
end
document dicnt
dicnt: dump the interconnection network.
end

define ptxdis
eval "set $ws_args = \"0x%x 0x%x\"", $arg0, $arg1
ws-call debug_cmd_ptxdis
end
document ptxdis
ptxdis START_PC END_PC: disassemble PTX instructions.
end

define ptxdis_func
eval "set $ws_args = \"%d %d\"", $arg0, $arg1
ws-call debug_cmd_ptxdis_func
end
document ptxdis_func
ptxdis_func CORE THREAD: disassemble the function a hardware thread is in.
end

define ptx_tids2pcs
set $ws_tids = $arg0
eval "set $ws_args = \"{%d\"", $ws_tids[0]
set $ws_k = 1
while $ws_k < $arg1
eval "set $ws_args = \"%s,%d\"", $ws_args, $ws_tids[$ws_k]
set $ws_k = $ws_k + 1
end
eval "set $ws_args = \"%s} %d\"", $ws_args, $arg2
ws-call debug_cmd_ptx_tids2pcs
end
document ptx_tids2pcs
ptx_tids2pcs TIDS LEN CORE: pcs of hardware threads of a core; TIDS is an array, as {0,32,64} (without blanks).
end
