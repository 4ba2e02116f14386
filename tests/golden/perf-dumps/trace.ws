# args: -m performance -c tiny chain.ptx -o '-trace_enabled 1' -o '-trace_components SCOREBOARD'
buffer out u32[64] = iota
info trace
launch chain<<<1, 64>>>(out)
run-to-cycle 78
trace scoreboard off
trace ISSUE,LDST on core 0
run-to-cycle 108
trace all off
trace MEMORY_PARTITION_UNIT,DRAM,ICNT,FETCH on
run-to-cycle 180
info trace
