# prompt
# args: -m functional
# Matrices out of registers, where elements live, why an element of D has its value, and what each generation cuts off.
set history on
load mma.ptx
buffer a f16[256] = random 1 -1 1
buffer b f16[128] = random 2 -4 4
buffer c f32[128] = zero
set source ptx
break mma.ptx:178
run mm<<<1, 32>>>(a, b, c)
cuda lane 5
info fragment %r57,%r58 b m16n8k16
info fragment %r57..%r58 b m16n8k8 tf32
info fragment {%r57} a m8n8k16 u8
info fragment %r57..%r58 a m16n8k16 f16
info fragment %r57..%r58 x m16n8k16
info fragment %nosuch a m16n8k16
set tensor-rounding volta
si
info fragment
print %f1
why %f1
why %f3
rsi
set tensor-rounding exact
si
print %f1
why %f1
rsi
set tensor-rounding hopper
si
print %f1
rsi
set tensor-rounding auto
si
print %f1
si
info fragment
