# args: -q -m functional --check race strict.ptx
# status: 3
buffer o s32[32]
run tail<<<1, 32>>>(o, 0)
print $_findings
set check-race strict
run tail<<<1, 32>>>(o, 1)
run tail<<<1, 32>>>(o, 2)
run tail<<<1, 32>>>(o, 3)
run tail<<<1, 32>>>(o, 4)
run is_volatile<<<1, 32>>>(o)
print $_findings
# each half meets, and reads what the other one has written
run tail<<<1, 32>>>(o, 5)
