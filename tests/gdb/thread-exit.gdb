# run: launch lanes<<<2,64>>>(A, 5)
break 72
continue
next
info threads 1 33
next
