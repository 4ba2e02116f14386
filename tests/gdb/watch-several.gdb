# run: launch lanes<<<1,64>>>(A, 5)
# one instruction changes what several watchpoints watch: elements of an array, registers of several lanes. Each is told, one after the other; two
# of the same place at once
break 54
continue
delete
watch -l tile[4]
watch -l tile[9]
watch -l *(long *) &tile[8]
continue
continue
continue
delete
break 57
continue
delete
thread 3
watch r8
thread 5
watch r8
continue
continue
continue
