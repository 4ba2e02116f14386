# kernel: names.ptx
# run: set source cuda
# run: buffer out s32[32] = zero
# run: launch _Z5namedPi<<<1,32>>>(out)
# static variables where they belong, all by their PTX names too
break 14
continue
backtrace
x/3dw tile
print sizeof(tile)
x/3dw &_ZZN38_INTERNAL_818a043e_8_names_cu_3fa886e26turnedEiE4tile
up
x/3dw tile
x/3dw &_ZZ5namedPiE4tile
print sizeof(_ZZ5namedPiE4tile)
x/4dw table
x/2dw steps
x/4dw &_ZN6lookup5tableE
monitor print/d tile[31]
print tile[31]
whatis tile
info symbol table
