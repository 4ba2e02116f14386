# run: launch lanes<<<2,64>>>(A, 5)
# Lane 3 writes; for gdb the watchpoint belongs to lane 0.
break lanes.ptx:57
continue
delete
watch tile[3]
continue
print $laneid
continue
