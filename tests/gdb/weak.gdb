# kernel: weak-1.ptx
# run: load weak-2.ptx
# run: set source cuda
# run: launch weak1<<<1,32>>>(A)
# run: launch weak2<<<1,32>>>(A)
# the copy of a weak function that the other one has replaced has lines and a type, too
break range::size
info breakpoints
continue
backtrace
print *this
finish
continue
backtrace
print *this
