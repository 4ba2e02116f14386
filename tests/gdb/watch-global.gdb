# run: launch lanes<<<2,64>>>(A, 5)
watch A[33]
continue
print $uid
info line
