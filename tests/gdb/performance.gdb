# args: -m performance
# run: launch lanes<<<2,64>>>(A, 5)
break lanes.ptx:58 if r1 == 3
continue
print r8
stepi
delete
watch r8
continue
delete
advance 65
info threads 4
next
continue
print A[3]
