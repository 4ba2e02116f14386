# run: launch lanes<<<2,64>>>(A, 5)
break 57
continue
next
print r8
print f2
next
print r8
stepi
nexti
info line
