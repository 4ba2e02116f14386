# run: launch lanes<<<2,64>>>(A, 5)
# PTX registers are memory on a stack for gdb, which it keeps when it forgets registers: both are to be flushed
next
print rd1
monitor stepi
maintenance flush register-cache
maintenance flush dcache
print rd1
# the macros do that
set trace-commands off
source ../../macros/warpstep.gdb
set trace-commands on
thread 6
print f1
monitor advance 52
print f1
