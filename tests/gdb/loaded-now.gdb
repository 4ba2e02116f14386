# kernel: lanes.ptx
# gdb's own command reads what `monitor load` has loaded, before anything runs
monitor load second.ptx
sharedlibrary
info line second
break second
monitor launch second<<<1,32>>>(A)
info threads 2-3
thread 2
backtrace
continue
