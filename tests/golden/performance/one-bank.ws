# args: -q -m performance one-bank.ptx
# %rd8 and %rd24 are in one of 16 banks: 3.2.2 would stand still. Said once, on standard error.
buffer p u64[4] = {1, 2}
run k<<<4, 32>>>(p)
run k<<<1, 32>>>(p)
print p
