# args: -q -m functional cooperative.ptx
# rotate: after 5 rounds a[i] is what a[(i + 5) % n] was
buffer A s32[500] = iota
buffer B s32[500] = zero
run rotate<<<16, 32>>>(A, B, 500, 5)
print B[0..4]
print B[494..499]
buffer V s32[32] = fill 7
run valid<<<1, 2>>>(V)
print V[0..2]
buffer T s32[32] = iota 1
buffer S s32[32] = zero
buffer R s32[32] = zero
buffer P s32[32] = zero
run tiles<<<1, 32>>>(T, S, R, P)
print S[0..31]
print R[0..31]
print P[0..31]
buffer C s32[1] = zero
run coalesced<<<1, 32>>>(T, C, S)
print C[0]
print S[0..31]
