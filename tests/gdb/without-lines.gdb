# kernel: without-lines.ptx
# run: set source cuda
# run: launch without_lines<<<1,32>>>(A)
# step goes over functions without lines; a constructor that only calls the one of its name has that one's line
break without-lines.cu:12
continue
step
backtrace
step
backtrace
step
backtrace
print n
print v
finish
finish
tbreak without-lines.cu:13
continue
step
step
step
step
delete
monitor launch without_lines<<<1,32>>>(A)
break __iAtomicAdd
continue
frame
x/i $pc
info locals
up 2
