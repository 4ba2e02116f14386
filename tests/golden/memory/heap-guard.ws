# args: -q heap-guard.ptx
# status: 3
buffer x f32[256] = iota
buffer y f32[256] = zero
buffer z f32[4] = fill 5
run shifted<<<2, 160>>>(x, y, 256)
print z
# in the guard, 256 bytes: behind what lies below it, until less than 32 bytes in front of the next
run poke<<<1, 1>>>(x, 256)
run poke<<<1, 1>>>(y, -8)
run poke<<<1, 1>>>(y, -7)
run poke<<<1, 1>>>(y, -1)
run poke<<<1, 1>>>(x, -4)
run poke<<<1, 1>>>(z, 4)
# at the end of z's 256 bytes, and at the end of its guard: nobody is above
run poke<<<1, 1>>>(z, 63)
run poke<<<1, 1>>>(z, 127)
# what a kernel allocates
buffer p b64[2]
run own<<<1, 1>>>(p)
print/x p
info buffers
# and what an address is in
info symbol p[0] + 4
info symbol p
