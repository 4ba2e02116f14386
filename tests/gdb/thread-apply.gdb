# run: launch lanes<<<2,64>>>(A, 5)
break 57
continue
thread apply 1 2 33 print f1
thread apply 2 3 -q print r1
thread find lane 7
