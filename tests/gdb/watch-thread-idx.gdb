# run: launch lanes<<<2,64>>>(A, 5)
# an element chosen by the thread's own place
break 58 if threadIdx.x == 33
continue
delete
watch -l A[threadIdx.x]
continue
print threadIdx.x
print A[33]
watch tile[threadIdx.x]
info watchpoints
