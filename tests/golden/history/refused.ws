# args: -m functional -c tiny sums.ptx
# status: 1
# nothing was recorded
buffer sum u32[64] = zero
launch sums<<<1, 64>>>(sum)
stepi 5
rs
