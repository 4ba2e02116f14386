# prompt
# Texels by a bound reference, by a handle in a register and in a parameter; they can be assigned and watched.
load filter.ptx
texture T f32[4,2] = iota 0 10
surface S u8x4[4,2] = iota
surface U u32[4,2] = zero
print image[1,1]
bind image T
print image[1,1]
bind canvas S
print canvas[1,1]
print canvas[1,1][2]
print canvas[1,2]
launch paint<<<1, 4>>>(U, 1)
print surface[2,0]
stepi
set %rd1[2,0] = 77
print U[2,0]
print %rd1[2,0,1]
watch %rd1[3,1]
c
