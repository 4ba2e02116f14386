# run: launch lanes<<<2,64>>>(A, 5)
break 57
continue
print r1
print tile[3]
print tile[2]@3
print &tile[1]
print table
print limit
print n
print out
set var r8 = 3
print r8
set var tile[3] = 2.5
print tile[3]
set var A[2] = 9
print A[2]
print p1
set var p1 = 1
print p1
print/x r1 + 0x10
whatis f1
ptype tile
