# args: -m functional -c tiny sums.ptx
# checkpoints need no history; nor does going to one that lies behind what was changed since
buffer sum u32[64] = zero
launch sums<<<1, 64>>>(sum)
info checkpoints
break 25
c
print sum[0..2]
checkpoint
c
print sum[0..2]
checkpoint later
info checkpoints
restart 1
print sum[0..2]
set sum[2] = 50
c
c
print sum[0..2]
restart later
print sum[0..2]
restart 1
c
print sum[0..2]
delete checkpoint 1
info checkpoints
