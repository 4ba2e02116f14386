# args: -m functional
# base classes as nvcc describes them; gdb shows the same (tests/gdb/bases.gdb)
load ../../gdb/bases.ptx
set source cuda
buffer A s32[32] = zero
launch bases<<<1,32>>>(A)
break bases.cu:45
continue
focus thread (5,0,0)
print o
print o.a
print o.b
print x
print x.a
print p
print *middle
print o.first::a
print o.second::b
print o.both::a
print (&o)->outer::a
print inner->first::a
