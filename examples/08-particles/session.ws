# 24 particles at random places, two of them at the same one.
load particles.ptx
buffer x f32[24] = random 1 0 10
buffer y f32[24] = random 2 0 10
buffer vx f32[24] = zero
buffer vy f32[24] = zero
set x[17] = x[5]
set y[17] = y[5]
run push<<<1, 32>>>(24, 0.01, x, y, vx, vy)
print vx[4..6]
print vx[16..18]
# Particles 5 and 17 are not numbers any more. Something divided by the distance; stop where it is zero (%f20 is d):
break particles.cu:23 if %f20 == 0
run
# Thread 5 has met somebody at no distance. Whom? And what comes out of the division?
print (s32)%rd23 - %r11
print %f15
stepi
print %f21
# 0/0, with particle 17: lines 23 and 24 must not divide by a distance of zero. From here on ax and ay, and then the speeds,
# stay not-a-number.
list particles.cu:22,27
