# run: launch lanes<<<1048576,1024>>>(A, 5)
# run: kill
# run: launch lanes<<<2,64>>>(A, 5)
# gdb keeps thread numbers in 31 bits. After a thousand million threads they are no longer uids, and everything is as ever.
print $uid
info threads 1 64
break 58
continue
thread 5
print $uid
print r8
print $tid_x
stepi
thread apply 4 5 6 print r8
delete
watch tile[7]
continue
print $tid_x
info threads 1 64
