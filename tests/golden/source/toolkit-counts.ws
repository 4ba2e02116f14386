# args: -m functional hash.ptx
# what is inlined from a toolkit's header counts as the line of one's own: one lane goes once through the loop, and seven instructions
# of it are line 10's, four of these by way of the header; line 23 has no others
buffer keys u32[1] = {5}
buffer slots u32[128] = zero
buffer count s32[1] = zero
run fill<<<1, 1>>>(slots, 63, keys, 1, count)
assert count[0] == 1
list /s hash.cu:6,24
stats summary
