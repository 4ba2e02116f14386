# kernel: inlined.ptx
# run: set source cuda
# run: buffer out s32[4] = fill 7
# run: launch unrolled<<<1,1>>>(out)
# the turns of an unrolled loop are calls of their own; PTX registers of an inner scope
break low
continue
info locals
stepi
info locals
next
next
info locals
finish
print r3
continue
backtrace
delete
next
next
print r8
