# prompt
# args: hash.ptx
# without the source's variables info locals shows the registers of the basic block around the place, what it reads from others among them
buffer out s32[8] = zero
buffer keys u32[32] = iota 1
buffer slots u32[128] = zero
b hash.ptx:49
run fill<<<1, 32>>>(slots, 63, keys, 32, out)
info locals
info locals all
info locals x
# behind the branch that ends the block, in the loop, whose label is a branch's target
tb hash.ptx:73
c
info locals
tb hash.ptx:91
c
bt full
