# args: -q -m functional init.ptx
# status: 3
# switched on when kernels have run: what they may have written counts as initialised, what nobody can have written doesn't
buffer A s32[32] = zero
buffer B s32[33]
buffer far s32[4096]
run uses<<<1, 32>>>(A, B)
check init on
save B /dev/null
save far /dev/null
