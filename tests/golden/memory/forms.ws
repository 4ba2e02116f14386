# args: -q -m functional forms.ptx
# the expected values follow from the ISA by hand: see the comments in forms.ptx
buffer I u8[8] = {0x80, 0xfe, 0x01, 0x90, 0x78, 0x56, 0x34, 0xf2}
buffer O u32[16] = zero
run extend<<<1,1>>>(O, I)
print/x O[0..15]
buffer V u32[256] = iota 0x01000100 0x00010001
buffer W u32[256] = zero
run vectors<<<1,32>>>(W, V)
print/x W[0..7]
print/x W[248..255]
buffer S u32[128] = zero
run spaces<<<1, 32, 128>>>(S, {u32 20000, u32 300000})
print S[0..3]
print S[124..127]
buffer A s32[60] = zero
set A[2] = -1
set A[12] = 77
run atomics<<<1,32>>>(A)
print A[0..12]
print *(f32*)&A[13]
print *(s64*)&A[14]
print *(f64*)&A[16]
print A[18]
print A[20..35]
print/x A[36..38]
print (*(f32*)&A[40])@2
print (*(f32*)&A[44])@4
print/x A[48..51]
print A[52..58]
