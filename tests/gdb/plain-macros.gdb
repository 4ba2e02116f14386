# run: launch lanes<<<1,32>>>(A, 5)
set trace-commands off
source ../../macros/warpstep.gdb
set trace-commands on
break lanes.ptx:65
continue
thread 4
ptx-lanes r5
ptx-simt
ptx-insn
ptxdis 0 16
monitor set %r5 = 77
print r5
