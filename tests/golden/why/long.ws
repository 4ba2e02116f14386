# args: -q -m functional long.ptx
# a warp that has executed more than is remembered of it: the latest instructions are
set history on
buffer P u32[64] = zero
launch longest<<<1,32>>>(P)
goto-cycle 1200000
who-wrote P[0]
who-wrote %r2
why P[0] 3
why %d1
