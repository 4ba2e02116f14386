# prompt
# args: variables.ptx
# members of the object in a method, those of base classes
buffer results s32[256] = zero
b variables.cu:23 if i == 2 && v[i] > 2.5
run kinds<<<1,4>>>(results, 7, {s32 3, s32 4}, 1.5)
print v
print v[1]
print *this
print this->v[2]
print i
print s
whatis this
bt
print sum::i
up
print der.b
print der.d
print der
ptype der
print vf
print v
