# run: launch lanes<<<2,64>>>(A, 5)
break 57
continue
step
backtrace
info locals
info args
step 3
finish
print f2
info threads 1 32
