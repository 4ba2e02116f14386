# kernel: lanes.ptx
# run: set source cuda
# files that are loaded later: pending breakpoints in functions that are only inlined there
break turned
break square
monitor load names.ptx
monitor launch _Z5namedPi<<<1,32>>>(A)
continue
backtrace
x/3dw tile
delete 1
monitor load inlined.ptx
continue
monitor launch mixed<<<1,32>>>(A, 2)
continue
backtrace
finish
