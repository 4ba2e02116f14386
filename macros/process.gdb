# GPGPU-Sim's gdb macros by their names, for a gdb attached to the simulator process itself.
#
#     gdb -x process.gdb --args warpstep -m performance ...
#
# Stop it anywhere (Ctrl-C will do). The macros write a request into the process and let it continue with a signal, whose handler answers; then
# the process stands again where it stood. gdb calls no function and writes no register: on processors with AMX gdb 13 can't.
# For a gdb on warpstep's server take gpgpusim.gdb.

define ws-ask
if $_thread == 0
printf "error: there is no process: `run` or `attach` first\n"
else
if !repl_request.ready
printf "error: warpstep hasn't built its machine yet, or has taken it down\n"
else
set $ws_answered = repl_request.answered
eval "set {char [%d]} repl_request.line = \"%s\"", sizeof($ws_line), $ws_line
ws-continue
if $_thread == 0
printf "error: the process has ended before it could answer\n"
else
if repl_request.answered == $ws_answered
printf "error: the process has stopped before it could answer, see `bt`\n"
else
printf "%s", repl_request.text
end
end
end
end
end
document ws-ask
ws-ask: gives the command $ws_line to warpstep, and prints what it says.
end

# with the signal that says there is a request, for the main thread; without what gdb says of it
define ws-continue
set $ws_thread = $_thread
if $_gdb_major >= 10
if $ws_thread != 1
pipe thread 1 | cat >/dev/null
end
with follow-fork-mode parent -- with detach-on-fork on -- pipe signal SIGUSR2 | cat >/dev/null
if $_thread != 0 && $_thread != $ws_thread && repl_request.answered != $ws_answered
pipe thread $ws_thread | cat >/dev/null
end
else
if $ws_thread != 1
thread 1
end
signal SIGUSR2
end
end

define dp
eval "set $ws_line = \"dp %d\"", $arg0
ws-ask
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
eval "set $ws_line = \"dm %d\"", $arg0
ws-ask
end
document dm
dm PARTITION: dump a memory partition.
end

define dicnt
set $ws_line = "dicnt"
ws-ask
end
document dicnt
dicnt: dump the interconnection network.
end

define ptxdis
eval "set $ws_line = \"ptxdis 0x%x 0x%x\"", $arg0, $arg1
ws-ask
end
document ptxdis
ptxdis START_PC END_PC: disassemble PTX instructions.
end

define ptxdis_func
eval "set $ws_line = \"ptxdis_func %d %d\"", $arg0, $arg1
ws-ask
end
document ptxdis_func
ptxdis_func CORE THREAD: disassemble the function a hardware thread is in.
end

define ptx_tids2pcs
set $ws_tids = $arg0
eval "set $ws_line = \"ptx_tids2pcs {%d\"", $ws_tids[0]
set $ws_k = 1
while $ws_k < $arg1
eval "set $ws_line = \"%s,%d\"", $ws_line, $ws_tids[$ws_k]
set $ws_k = $ws_k + 1
end
eval "set $ws_line = \"%s} %d\"", $ws_line, $arg2
ws-ask
end
document ptx_tids2pcs
ptx_tids2pcs TIDS LEN CORE: pcs of hardware threads of a core; TIDS is an array, as {0,32,64} (without blanks).
end
