# args: -q -m functional runtime.ptx
# status: 3
# text as C's printf writes it; sums of 0..15 times the thread
buffer O s32[32] = zero
run say<<<1,32>>>(O)
print O[0..3]
run heap<<<1,32>>>(O)
print O[0..31]
run check<<<1,64>>>(40)
