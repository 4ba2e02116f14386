# kernel: statements.ptx
# run: launch fields<<<1,1>>>(A)
# Bit-fields without a name are padding. warpSize is a variable.
break statements.cu:23
continue
print x
ptype x
print sizeof(x)
print warpSize
print threadIdx.x + warpSize
