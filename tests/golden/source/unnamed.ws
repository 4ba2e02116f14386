# args: -q -m functional ../../gdb/statements.ptx
# bit-fields without a name are no members
buffer p s32[1] = zero
tbreak statements.cu:22
run fields<<<1, 1>>>(p)
print x
print x.b
