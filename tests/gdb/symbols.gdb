# run: launch lanes<<<2,64>>>(A, 5)
info symbol &table[1]
info symbol &limit
info symbol out
info symbol lanes
print &table[2]
x/2f &A[3]
print/a out
compare-sections .text
maintenance packet qCRC:8000000,8
monitor load second.ptx
monitor kill
continue
print &one
info symbol &one
info locals
