# run: launch lanes<<<1,32>>>(A, 5)
# one instruction writes what several watchpoints are on, for different lanes: each is told, and each once
watch -l A[3]
watch A[7]
awatch -l A[9]
watch A[9]
tbreak 49
continue
thread 6
watch f1
thread 8
watch f1
continue
continue
delete 6-7
continue
continue
continue
continue
