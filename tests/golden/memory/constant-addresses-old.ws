# no warning: the assemblers of that time took these addresses
load constant-addresses-old.ptx
buffer b u32[2] = {10, 20}
run swap<<<1,1>>>(b)
print b[0..1]
