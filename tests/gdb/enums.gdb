# kernel: enums.ptx
# run: set source cuda
# run: launch enums<<<1,32>>>(A)
# the constants of an enum class have the names that they have in a program for the CPU
break enums.cu:12
thread 4
continue
print c
print m
print s
print/d s
print m == mode::on
ptype m
ptype s
thread 2
print m
print s
set var m = mode::off
print m
thread 1
print c
print m
