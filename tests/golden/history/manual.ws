# args: -m functional -c tiny ../../../examples/08-particles/particles.ptx
# the example of docs/manual/backwards.md: forwards until something is wrong, backwards to what made it so
set history on
buffer x f32[24] = random 1 0 10
buffer y f32[24] = random 2 0 10
buffer vx f32[24] = zero
buffer vy f32[24] = zero
set x[17] = x[5]
set y[17] = y[5]
run push<<<1, 32>>>(24, 0.01, x, y, vx, vy)
print vx[4..6]
watch vx[5]
rc
break particles.cu:23 if %f20 == 0
rc
print (s32)%rd23 - %r11
stepi
print %f21
rsi
rn
