# prompt
# args: typed.ptx
# `set print address off`, as gdb 13 writes pointers, arrays, functions and strings with it; print/a, x and printf show addresses all the same
buffer out Stats[3] = fill {-1, 7}
buffer text u8[8] = {72, 101, 108, 108, 111}
buffer slots Slot[3] = zero
launch gather<<<1, 32>>>({slots, 63, 3}, out, 2)
next
print &coef
print gather
print &gather
print (char *)&text[0]
print out
print (f32 *)0x80000000
print $pc
bt
set print address off
print &coef
print gather
print &gather
print *gather
print (char *)&text[0]
print (char *)0
print/s (char *)&text[1]
print out
print (f32 *)0x80000000
print (f32 *)0
print $pc
print/a gather
print/x &coef
printf "%p %s\n", &text[0], &text[0]
x/s &text[0]
output &coef
bt
print -address -- &coef
print -address on -- (char *)&text[0]
with print address on -- print &coef
show print address
