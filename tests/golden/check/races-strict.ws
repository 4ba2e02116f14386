# args: -q -m functional --check race races.ptx
# status: 3
# by the ISA's letter the fence after the atomic is missing
buffer o s32[64] = zero
run last_block<<<4, 64>>>(o, 1)
print $_findings
set check-race strict
run last_block<<<4, 64>>>(o, 1)
print $_findings
