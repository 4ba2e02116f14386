# args: -m functional
# variables in namespaces and static functions by their names in the source, for which nvcc has mangled ones (gdb says the same of the
# program compiled for a CPU)
load ../../gdb/namespaces.ptx
set source cuda
buffer A s32[256] = zero
break helper
run namespaces<<<1,32>>>(A)
backtrace
print geo::origin
print origin
print _ZN3geo6originE
print geo::origin.y * 2
print geo::deep::level
print level
print hidden
print plain
set var geo::origin.x = 5
print origin
whatis geo::origin
delete
break first
continue
backtrace
