# args: --check init
# Functions that `call` calls: with registers and with parameters in memory, by some of the lanes, with callp inside, left by retp. Threads 0 and 1 keep 7,
# thread 3 has 2 * 3 + 100, the others twice their number; 1 is added to all, and 65536 for each launch before.
set history on
load functions.ptxplus
buffer out u32[8] = zero
run k<<<1,8,256>>>(out)
print out[0..7]
launch k<<<1,8,256>>>(out)
break 20
continue
backtrace
print $r9.lo
info registers
finish
why $r2
delete
continue
print out[0..7]
