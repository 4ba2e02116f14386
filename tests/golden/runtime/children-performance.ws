# args: -q -m performance children.ptx
# status: 3
# launches run at once, in front of what the thread that made them does next
run say<<<1, 2>>>(0, 0, 3)
info kernels
buffer O s32[16] = zero
buffer N s32[2] = zero
run streams<<<1, 1>>>(O, N)
print O[0..7]
buffer P s32[2] = zero
run many<<<3, 40>>>(P)
print P[0..1]
buffer E s32[16] = zero
run errors<<<1, 1>>>(E)
print E[0..10]
buffer C s32[32] = fill -1
run copies<<<1, 1>>>(C)
print C[0..7]
print/x C[8..31]
buffer D s32[2] = zero
run deeper<<<1, 1>>>(D, &D[1])
print D[0..1]
run wrong<<<2, 64>>>(D)
