# The cycle of a warp's first instruction in its turn is the one in which it executes, by whichever command it is told.
set history on
load turns.ptx
buffer a u32[64]
break 22 if $uid == 64
run turns<<<1, 64>>>(a)
# warp 0 has the first turn behind each barrier, so warp 1's begins some cycles after the barrier opened
who-wrote %r4
why %r4
who-wrote a[63]
rsi 2
print $cycle
rs 1
rsi
print $cycle
