# kernel: bases.ptx
# run: set source cuda
# run: launch bases<<<1,32>>>(A)
# base classes are what they are in a program for the CPU: shown in <>, their members found in the derived class and in its methods
break make
break both::sum
continue
thread 6
finish
next
print p
print p.b
continue
print a
print b
print c
print *this
print this->a
finish
print o
print o.a
print o.b
print o.first::a
print *(both *)inner
print x
print x.a
ptype o
ptype x
set var o.b = 1.25
print o
break first::get if a == 9
continue
print a
finish
