# run: launch lanes<<<1,32>>>(A, 5)
continue
info threads
backtrace
print A[3]
stepi
continue
