# args: -q --check all mistakes.ptx
# status: 3
# findings are printed when their kernel ends; what is wrong isn't done, and the kernel goes on
buffer x f32[200] = fill 1
buffer z f32[200]
buffer o s32[64] = fill -1
run past<<<4, 64>>>(z, x)
print z[199]
run misaligned<<<1, 4>>>(o)
run freed<<<1, 1>>>(o)
print o[0]
run shared_end<<<1, 8>>>(o, 4)
print o[0..7]
run divergent<<<1, 64>>>(o)
print o[0]@64
run two_barriers<<<1, 32>>>(o)
run missing<<<1, 32>>>(o)
run not_in_mask<<<1, 32>>>(o)
run gone<<<1, 64>>>(o, 40)
# the same again: no new finding
run past<<<4, 64>>>(z, x)
print $_findings
info checkers
info findings
info findings 3
