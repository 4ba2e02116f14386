# target: none
# run: launch lanes<<<1,257>>>(A, 5)
set remote threads-packet on
target remote @SERVER@
break 52
continue
info threads 1 257
detach
