# args: -q -m functional pack.ptx
# by hand from the ISA: a clamped above b clamped, c's low bits above both
buffer o u32[8] = zero
run pack<<<1,1>>>(o, -257, 257, 0xf839b0ed)
print/x o[0..7]
