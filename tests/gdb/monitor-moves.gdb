# run: launch lanes<<<1,32>>>(A, 5)
# what `monitor` does to threads gdb doesn't see by itself: it is said once, and what to do
break 52
continue
monitor info cuda warps
monitor stepi
info line *$pc
maintenance flush register-cache
info line *$pc
print r1
monitor stepi
maintenance flush register-cache
frame
