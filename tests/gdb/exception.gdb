# run: launch wild<<<1,32>>>(A)
continue
print rd1
info threads 2
backtrace
continue
