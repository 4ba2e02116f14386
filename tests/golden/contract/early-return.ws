# status: 3
# args: -m functional
load early-return.ptx
buffer out s32[128] = fill -1
run early<<<2,64>>>(out, 70)
print out[0..2]
print out[63..71]
run missing<<<1,64>>>(out)
