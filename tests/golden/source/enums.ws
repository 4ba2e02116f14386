# args: -m functional
# enumerations in namespaces, classes and functions: as in gdb (tests/gdb/enums-scoped.gdb)
load ../../gdb/enums-scoped.ptx
set source cuda
buffer A s32[32] = zero
launch scoped<<<1,32>>>(A)
break enums-scoped.cu:21
continue
focus thread (1,0,0)
info locals
print c == GREEN
print c == paint::GREEN
print m == paint::mode::on
print b.k == paint::box::LARGE
print p.k == plain::PLARGE
print h == H1
print i == I1
set c = BLUE
print c
ptype c
ptype m
