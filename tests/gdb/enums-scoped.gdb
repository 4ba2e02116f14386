# kernel: enums-scoped.ptx
# run: set source cuda
# run: launch scoped<<<1,32>>>(A)
# named as in a program for the CPU, and found by these names, with their namespaces or, as with using, without
break enums-scoped.cu:21
continue
thread 2
info locals
print c == GREEN
print c == paint::GREEN
print c == paint::color::GREEN
print m == paint::mode::on
print b.k == paint::box::LARGE
print p.k == plain::PLARGE
print t == T1
print h == H1
print i == I1
ptype c
ptype m
ptype h
ptype i
whatis b.k
print (color)5
print (paint::color)5
print sizeof(paint::box)
print *(paint::box *)&b
set var c = BLUE
print c
set var c = paint::RED
print c
delete
tbreak 22 if c == paint::GREEN && threadIdx.x > 4
continue
