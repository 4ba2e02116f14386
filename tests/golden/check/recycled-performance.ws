# args: -q -m performance -c tiny recycled.ptx
# status: 3
# each thread gets the memory that the one before has freed: no race, and written only by those who write
check all on
buffer out s32[1] = zero
run recycled<<<4, 1>>>(out, 1)
run parent<<<2, 2>>>(out)
print out[0]
info findings
run recycled<<<4, 1>>>(out, 0)
