# args: -q in-front.ptx
# status: 3
# an index of -1: so many bytes in front of the space's memory, whether addresses have 32 bits (shared) or 64 (local); 64 elements are there
buffer o s32[4]
run s<<<1, 32>>>(o, -1)
run s<<<1, 32>>>(o, 63)
run l<<<1, 1>>>(o, -5)
run l<<<1, 1>>>(o, 64)
# variables by their names in the source
run g<<<1, 1>>>(o, -1)
run g<<<1, 1>>>(o, 4)
info symbol 0x1000000c
