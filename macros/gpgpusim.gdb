# GPGPU-Sim's gdb macros by their names, for a gdb attached to warpstep's gdb server:
#
#     gdb -x gpgpusim.gdb -ex 'target remote :1234'
#
# warpstep runs in performance mode. For a gdb on the simulator process itself take process.gdb.

define hookpost-monitor
maintenance flush register-cache
maintenance flush dcache
end

define dp
monitor dp $arg0
end
document dp
dp CORE: dump the pipeline of a SIMT core.
end

define dpc
monitor dp $arg0
continue
end
document dpc
dpc CORE: dump the pipeline of a SIMT core, then continue.
end

define dm
monitor dm $arg0
end
document dm
dm PARTITION: dump a memory partition.
end

define dicnt
monitor dicnt
end
document dicnt
dicnt: dump the interconnection network.
end

define ptxdis
monitor ptxdis $arg0 $arg1
end
document ptxdis
ptxdis START_PC END_PC: disassemble PTX instructions.
end

define ptxdis_func
monitor ptxdis_func $arg0 $arg1
end
document ptxdis_func
ptxdis_func CORE THREAD: disassemble the function a hardware thread is in.
end

define ptx_tids2pcs
monitor ptx_tids2pcs $arg0 $arg1 $arg2
end
document ptx_tids2pcs
ptx_tids2pcs TID,TID,... LEN CORE: pcs of hardware threads of a core.
end
