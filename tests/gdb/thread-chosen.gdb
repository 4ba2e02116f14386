# run: launch lanes<<<1,32>>>(A, 5)
tbreak 57
tbreak 60
tbreak 62
tbreak 63
continue
info threads 9-10
continue
thread apply 7-9 print r1
continue
thread 20
continue
