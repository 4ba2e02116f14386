# run: launch lanes<<<2,64>>>(A, 5)
break 57 thread 5
continue
print $laneid
