# kernel: enums-far.ptx
# run: set source cuda
# run: launch far_enums<<<1,32>>>(A)
# an enum class has its constants' names also where its line needs two bytes
break enums-far.cu:308
thread 4
continue
print m
print s
print m == mode::on
ptype m
