# prompt
# args: variables.ptx
# variables by their C names: values as gdb shows them (tests/scripts/test_c_variables.sh compares with gdb)
buffer out s32[4]
b variables.cu:142
run kinds<<<1,4>>>(out, 7, {s32 3, s32 4}, 1.5)
info locals
info args
bt
p i
p n
p pr.p[1].y
p *ptr
p q
