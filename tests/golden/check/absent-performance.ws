# args: -q -m performance --check init absent.ptx
# status: 3
# what a shuffle reads from a lane that doesn't exist, has exited or isn't named is uninitialised where it decides something, and else silent
buffer o s32[64] = zero
run tail<<<1, 44>>>(o, 0)
run exited<<<1, 32>>>(o, 20, 0)
run unnamed<<<1, 32>>>(o, 20)
save o /dev/null
assert $_findings == 3
run tail<<<1, 44>>>(o, 1)
buffer p s32[64] = zero
run exited<<<1, 32>>>(p, 20, 1)
run unnamed<<<1, 32>>>(p, 4)
run sums<<<1, 16>>>(p, 10)
save p /dev/null
assert $_findings == 3
