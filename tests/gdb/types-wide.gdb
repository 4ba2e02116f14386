# kernel: wide.ptx
# run: launch wide<<<1,32,16>>>(A, {s32 5, s32 6})
break wide.ptx:29
continue
print r1
print inner
break wide.ptx:31
continue
print r1
print/x r1
print/x h1
print q1
print/x rd1
print/x w1
print plain
print pair[4]
x/2dw pair
ptype quad
whatis q1
set var h1 = 2
print/x h1
set var q1[1] = 3
print q1
set var w1 = 5
print/x w1
