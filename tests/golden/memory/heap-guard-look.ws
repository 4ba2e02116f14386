# args: -q
# prompt
# looking over a buffer's end: the address told is the first that isn't there, as gdb tells it of the stub
buffer x f32[256] = iota
buffer y f32[4] = iota
print x[250..256]
print x[255]
print *(f64*)0x800003fc
x/2xg 0x800003f8
x/8f 0x800003f0
print *(f32*)0x80000400
set global[0x80000400] = 1
info symbol 0x800003fc
info symbol 0x80000400
