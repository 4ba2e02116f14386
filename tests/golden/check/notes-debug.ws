# args: -q -m functional --check race notes-debug.ptx
# status: 3
buffer acc f64[1] = zero
buffer out f64[64] = zero
buffer word s32[1] = zero
run first_look<<<1, 64>>>(acc, out)
run flag<<<1, 64>>>(word, 0)
# equal values, then different ones at the same place: the note becomes an error
run flag<<<1, 64>>>(word, 1)
run decides<<<1, 64>>>(word)
run keeps<<<1, 64>>>(word, out)
print acc[0]
