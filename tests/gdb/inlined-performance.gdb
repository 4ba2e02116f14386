# kernel: inlined.ptx
# args: -m performance
# run: set source cuda
# run: buffer out s32[128] = zero
# run: launch mixed<<<1,64>>>(out, 2)
# a breakpoint in a function that is only inlined; then as in the functional mode
break square
continue
backtrace
up
print r12
delete 1
finish
print r2
tbreak square
continue
continue
backtrace
