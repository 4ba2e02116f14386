# kernel: references.ptx
# run: set source cuda
# run: launch references<<<1,32>>>(A)
# gdb's bytecode of a condition doesn't follow a reference (it compares the address): such conditions are gdb's own to evaluate
break references.cu:12 if odd == 21
break add if sum == 17 && v == 10
info breakpoints
continue
print sum
print v
continue
print odd
print threadIdx.x
set var odd = 5
print sums
