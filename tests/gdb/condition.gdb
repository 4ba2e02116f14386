# run: launch lanes<<<2,64>>>(A, 5)
break 58 if r1 == 40 && r8 == 2
continue
print r1
print r8
print $uid
info breakpoints
