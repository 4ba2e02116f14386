# run: launch lanes<<<2,64>>>(A, 5)
break 65
continue
thread 2
info threads 1 2 3 4
next
info threads 1 2
thread 1
next
info threads 1 2
next
info threads 1 2
