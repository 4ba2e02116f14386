# run: launch memory<<<1,32>>>(A)
break 94
continue
info locals
print q1
print d1
print/x h1
print rd1
print scratch
x/4dw scratch
x/4dw local
thread 5
print r4
print scratch[2]
whatis q1
