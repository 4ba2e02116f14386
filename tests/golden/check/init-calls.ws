# args: -q -m functional calls.ptx
# status: 3
# arguments and return values are as initialised as what was given
check init on
buffer A s32[32]
buffer B s32[32] = zero
buffer out s32[32] = zero
run argument<<<1, 32>>>(A, out)
run result<<<1, 32>>>(A, out)
run far<<<1, 32>>>(A, out)
run part<<<1, 32>>>(A, out)
run fine<<<1, 32>>>(A, out)
run argument<<<1, 32>>>(B, out)
run result<<<1, 32>>>(B, out)
run far<<<1, 32>>>(B, out)
run part<<<1, 32>>>(B, out)
info findings
load init.ptx
buffer A s32[1]
run passes<<<1, 1>>>(A)
