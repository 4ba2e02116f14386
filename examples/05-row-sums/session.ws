# status: 3
# Sums of 24 rows of ones, 28 columns in rows of 30.
load row_sums.ptx
buffer m f32[720] = fill 1
buffer sums f32[24] = zero
run row_sums<<<1, 32>>>(24, 28, 30, m, sums)
# A load of 16 bytes at an address that is no multiple of 16. Which rows are concerned?
info lanes %rd11
print %rd11 % 16
focus lane 2
print %rd11 % 16
# Every second row: a row is %r6 = 30 floats, 120 bytes, so row 1 begins in the middle of a float4. The pitch has to be a
# multiple of 4 floats, or the loads single floats.
print %r6 * 4
