# kernel: lanes.ptx
break second
monitor load second.ptx
monitor launch second<<<1,32>>>(A)
continue
info sharedlibrary
backtrace
print one
next
print r1
x/2i $pc
