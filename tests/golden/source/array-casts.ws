# prompt
# args: templates.ptx
# casts to arrays show the same bytes as another type; the buffer's bytes count up, so u16[i] is 0x0100 + i * 0x0202
buffer out s32[8] = zero
buffer raw u8[32] = iota
tb templates.cu:37
run tmpl<3><<<1, 8>>>(out)
p tmpl<3>::A
p (s32[3])tmpl<3>::A
p (int[3])tmpl<3>::A
p (s32[])tmpl<3>::A
p (s32[4])tmpl<3>::A
whatis (f32[3])tmpl<3>::A
p ((u16[2][2])raw)[1][0]
p (u16[][2][2])raw
p/x (u32[2])raw
p sizeof((u32[2])raw)
p (u8[4])shared[0x0]
p {u16[4]} &raw
p {u16[4]} raw
p (f32[8][8])raw
p (f32[8])%r1
p (f32[8][)raw
p (f32[0])raw
p (char[4])raw
p (u64[18446744073709551615][18446744073709551615])raw
p (u32[4])raw[4]
p (nope[4])raw
p (out[1])
p (out[1]) * 2
p &((u16[2][2])raw)[1]
set var ((u16[2][2])raw)[1][0] = 7
p (u16[2][2])raw
x/4hd ((u16[2][2])raw)
display (u16[2][2])raw
p (u16[2][2])raw == 0
p (u32*[2])raw
p (u16[2][2])*raw
p ((u16[2][2])raw)[1]
p 0 ? (u16[2])raw : 1
