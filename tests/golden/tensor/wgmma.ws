# wgmma: each swizzle, K- and MN-major, with and without C, against plain loops: no wrong element.
load wgmma.ptx
buffer bad u32[16] = zero
run wg<<<1, 128>>>(bad)
print bad[0..15]
