# run: launch lanes<<<2,64>>>(A, 5)
break 57
continue
detach
info threads
