# kernel: captures.ptx
# run: launch k2<<<1, 32>>>({f64 1.5, s32 3, u64 &A[0]}, 9)
# run: launch k1<<<1, 32>>>({f32 2.5, s32 3, u64 &A[0]}, 9)
# A captured object (*this) and a captured address, in a lambda that is in another one: members go by their names.
break captures.cu:26
continue
print base
print n
print *this
set var step = 7
print this->step
delete
break captures.cu:12 if i == 2
continue
print base
print step
print i
print v
print this
up
print base
print n
