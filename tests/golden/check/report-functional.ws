# args: -q -m functional --check memory,sync mistakes.ptx
# status: 3
buffer x f32[200] = fill 1
buffer z f32[200]
buffer o s32[64] = fill -1
run past<<<4, 64>>>(z, x)
print z[199]
run shared_end<<<1, 8>>>(o, 4)
print o[0..7]
run divergent<<<1, 64>>>(o)
run two_barriers<<<1, 32>>>(o)
run missing<<<1, 32>>>(o)
run not_in_mask<<<1, 32>>>(o)
run gone<<<1, 64>>>(o, 40)
info findings
