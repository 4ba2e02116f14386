# args: -m functional lanes.ptx
set history on
buffer out u32[2] = zero
launch lanes<<<1, 64>>>(out)
break lanes.ptx:25
continue
continue
focus thread 37
# the sum of 0 1 2 3 over 32 lanes: 8 of each make 48
why %r4 2
# the largest of a warp is that of lane 31: 10 * 63; eight of the 32 values are told
why %r5 2
# thread 41 is lane 9 of warp 1
why %p2 2
why %r6 2
# 37 & 3 is 1: lanes 1, 5, 9 ...
why %r7 2
# 37 ^ 5 is 32, 37 - 1 is 36
why %r8 2
why %r9 2
# 48 of 64 threads aren't multiples of 4
why %r10 2
why %p4 3
delete
break lanes.ptx:26
continue
# one thread of the block has a true %p1, so not all have !%p1; the result goes to the same register
p %p1
why %p1 3
