# kernel: small-floats.ptx
# run: launch floats<<<1,1>>>(A)
# With the macros small floats print as numbers: 1.5 and -infinity; -3.140625; 448, the largest; 2^-16, the least.
source ../../macros/warpstep.py
break small-floats.cu:13
continue
print h
print b
print e4
print e5
