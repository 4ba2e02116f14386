# kernel: vectors.ptx
# run: launch vectors<<<1,32>>>(A)
# a vector register is one variable with its elements, also where code names only some of them
break 21 if P.x == 77 && threadIdx.x == 6
continue
print P
break 23
continue
print V
print V.x + V.w
print P
print P.y
set var V.z = 1.5
set var V.x = -V.x
print V
ptype V
watch V.y
info locals
next
print A[0]@4
