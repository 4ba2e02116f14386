# args: -m functional
# One warp and a half, so warps of 32 and 16 lanes: 24 on average; lanes 0 to 7 of the first warp only go through line 21: 8 lanes, 4 times.
load counts.ptx
stats summary
buffer x u32[64] = zero
run counts<<<1, 48>>>(x)
assert x[0] == 10 && x[8] == 0
list /s 12,26
list
list 19,20
list /s 27
disassemble /c counts
stats summary
stats reset
list /s 20,21
launch counts<<<1, 48>>>(x)
step 3
list /s 12,16
reset
list /s 20,21
stats summary
