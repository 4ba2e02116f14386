# run: launch lanes<<<2,64>>>(A, 5)
break 55
continue
next
info threads 1 33
thread 33
print $pc
info line
delete
next
info threads 1 33
