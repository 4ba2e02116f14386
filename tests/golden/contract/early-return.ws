# args: -m functional
# prompt
load early-return.ptx
buffer out s32[128] = fill -1
run early<<<2,64>>>(out, 70)
print out[0..2]
print out[63..71]
run later<<<1,64>>>(out)
print out[0..6]
print out[62..64]
# status 3 as a script
run another<<<1,64>>>(out)
info simt-stack
kill
buffer flag u32[1] = zero
# status 4
run never<<<1,64>>>(flag)
info barriers
info warps
bt
focus uid 295
bt
