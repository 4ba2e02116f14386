# kernel: c-variables.ptx
# run: set source cuda
# run: launch points<<<1,64>>>(A, 9)
break c-variables.cu:23
continue
print t
print p
print p.x
print tile[5]
print offset
print total
print n
ptype p
print &p
info locals
delete
break twice
continue
backtrace
print v
up
print sum
print i
down
finish
delete
advance 27
print sum
print sum
watch p.tag[1]
continue
info line
