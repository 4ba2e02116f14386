# prompt
# args: ../../gdb/vectors.ptx
# vector registers: one value with its elements, by the name without %, too, if that is how they are declared
buffer A f32[256] = iota
print V.x
print P.y + 1
break 21 if P.x == 77 && threadIdx.x == 6
run vectors<<<1,32>>>(A)
print P
tb 23
c
print %V
print %V.x + %V.w
print P
print P.y
print P.z
print P.x.y
print ::P
print/x P
print sizeof P
print &P
print &P.x
set var P = 3
set var %V.z = 1.5
set var %V.x = -%V.x
print %V
print $.z
ptype P
ptype %V
whatis P
display P
info registers P %V
info lanes P.y
watch P.y
break 24 if P.y == 9
print P.y = 9
c
print A[0]@4
print threadIdx
print $.x
print threadIdx.x
ptype threadIdx
whatis blockDim
# as at the gdb stub, without % what is nothing else
print V
print V.w
print/x r1
print V.q
set var V.w = -1
print %V
break 24 if V.w == -1 && r1 == 6
info registers V r1 $rd1
print r9
print r1.x
