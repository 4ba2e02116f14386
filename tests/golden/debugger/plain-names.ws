# args: ../../gdb/names.ptx
# variables of the source by its names: of the function around the place, of one that is inlined there, of a namespace
buffer out s32[32] = zero
launch _Z5namedPi<<<1,32>>>(out)
break names.cu:14
continue
info locals
x/3dw &tile
x/3dw &_ZZ5namedPiE4tile
up
x/3dw &tile
x/4dw &table
x/4dw &_ZN6lookup5tableE
print steps[0]
print/d tile[4]
buffer table s32[1] = fill 7
print table[0]
