# args: newer-version.ptx
# A toolkit newer than this program writes a later version number into the same instructions
buffer A u32[1] = zero
run k<<<1, 1>>>(A)
print A[0]
