# prompt
# What each lane of a texture read and of a surface write accesses; a format that doesn't fit; a handle that is none.
load filter.ptx
buffer O f32[4]
texture C f32[4,2] = iota 5 address border filter linear border 3
launch fetch<<<1, 4>>>(C, O, 0.25, 0)
tbreak filter.ptx:21
c
info access
stepi
info access last
why %f4
c
surface S u32[4,2] = zero
launch paint<<<1, 8>>>(S, 1)
c
info access
set %rd1 = 5
c
delete
texture B u8x4[2,2] = iota
run fetch<<<1, 1>>>(B, O, 0.5, 0.5)
texture N u8x4[2,2] = iota read normalized
run fetch<<<1, 1>>>(N, O, 0.5, 0.5)
print O[0] * 255
