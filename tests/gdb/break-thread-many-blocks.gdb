# kernel: calls.ptx
# args: -m performance
# run: launch work<<<500, 256>>>(A, 256)
# `break ... thread N` looks like `advance` on the wire: threads that gdb lists are reported to it while the machine stands at their hit.
set print frame-info location
tbreak calls.cu:14
continue
break 17 thread 470
continue
print $uid
print v
