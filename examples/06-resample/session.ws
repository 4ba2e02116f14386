# status: 3
# Three quarters of a second of sound.
load resample.ptx
buffer in s16[33100] = random 1 -1000 1000
buffer out s16[36000] = zero
run resample<<<282, 128>>>(36000, 60211, in, out)
# The address lies 64 KiB before the samples. The index into them is %r8, computed from the position %r7 = i * step:
print %r8
print %r7
print %r1
# A negative position from a positive i = 35666: what should it have been?
print (s64)%r1 * %r2
# More than 2^31 - 1: line 15 has to multiply in 64 bits.
list resample.cu:15,17
