# prompt
# args: -m functional
# `set tensor-rounding` belongs to the moment: in front of it the setting has its old value, and can be set again.
set history on
load mma.ptx
buffer a f16[256] = random 1 -1 1
buffer b f16[128] = random 2 -4 4
buffer c f32[128] = zero
set source ptx
break mma.ptx:178
run mm<<<1, 32>>>(a, b, c)
cuda lane 5
si
print %f1
set tensor-rounding exact
si
rsi 2
show tensor-rounding
set print elements 100
set tensor-rounding exact
si
print %f1
show tensor-rounding
