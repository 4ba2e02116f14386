# args: hash-g.ptx
# status: 3
# a fault in a function of a toolkit's header, which -G code calls, names the innermost frame that is the user's own
buffer keys u32[32] = iota 1
buffer slots u32[128] = zero
buffer count s32[1] = zero
run fill<<<1, 32>>>(0, 63, keys, 32, count)
bt
kill
run fill<<<1, 32>>>(slots, 63, keys, 32, 0)
kill
# the user's own already
run fill<<<1, 32>>>(slots, 63, 0, 32, count)
