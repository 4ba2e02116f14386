# args: -m functional -o '-gpgpu_stream_buffers 1'
# lanes that name one stream get successive words, in the order of the lanes; values from the reference's results
load deal.ptx
buffer r0 u32[96] = iota 5 3
buffer out u32[96] = fill 0
run deal<<<1, 8>>>(1, r0, 96, 0, 0, 12, out)
assert out[0] == 5 && out[1] == 8 && out[8] == 29 && out[95] == 290
# one lane merges two streams, so heads move at different speeds
load merge.ptx
buffer a u32[41] = {42, 92, 96, 145, 161, 189, 190, 194, 310, 405, 457, 462, 463, 463, 476, 487, 520, 524, 551, 573, 601, 609, 628, 630, 644, 649, 665, 669, 710, 756, 799, 812, 823, 829, 875, 877, 886, 911, 946, 987, 4294967295}
buffer b u32[41] = {15, 30, 36, 60, 64, 194, 200, 239, 247, 301, 334, 451, 475, 511, 531, 541, 605, 614, 638, 655, 796, 851, 862, 900, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295}
buffer w u32[64] = fill 0
run merge<<<1, 8>>>(2, a, b, 41, 1, w, 64, 64)
x/64dw &w[0]
# a byte and a half-word are read at heads that move by 4 all the same
load types.ptx
delete buffer r0
buffer r0 u32[10] = iota 305419776 29
buffer r1 u32[10] = iota 305419776 58
buffer r2 u32[10] = iota 305419776 87
buffer r3 u32[10] = iota 305419776 116
buffer r4 u32[10] = iota 2882338816 14849
buffer r5 u32[10] = iota 2882338817 14849
buffer r6 u32[10] = iota 2882338818 14849
buffer r7 u32[10] = iota 2882338819 14849
buffer w0 u32[12] = fill 3735928559
buffer w1 u32[12] = fill 3735928559
buffer w2 u32[12] = fill 3735928559
buffer w3 u32[12] = fill 3735928559
run types<<<1, 8>>>(8, r0, r1, r2, r3, r4, r5, r6, r7, 10, 4, w0, w1, w2, w3, 10, 10)
x/12uw &w0[0]
# a second block begins at the streams' beginning
run deal<<<2, 8>>>(1, r1, 8, 0, 0, 1, out)
assert out[0] == r1[0] && out[7] == r1[7]
