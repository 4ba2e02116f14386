# args: -q -m functional --check race races.ptx
# findings of the user's list are neither told nor counted; the line of one fits it, and globs do
buffer o s32[64] = zero
run same<<<1, 64>>>(o, 0)
check suppress 1
print $_findings
info findings
run histogram<<<1, 64>>>(o, 0)
set check-suppress races.suppress
info findings
run last_block<<<4, 64>>>(o, 0)
