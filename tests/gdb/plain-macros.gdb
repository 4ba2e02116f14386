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
set trace-commands off
why %r5 2
why
who-wrote %r1
find-nan
diff-launch 0 functional
set trace-commands on
monitor set %r5 = 77
print r5
