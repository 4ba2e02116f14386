# kernel: calls.ptx
# run: launch work<<<16, 256>>>(A, 256)
# 1000 lanes are more than gdb lists. An ignored breakpoint looks like one of `advance` for thread 1: each lane counts.
break 15
continue
ignore 1 1000
continue
info breakpoints
