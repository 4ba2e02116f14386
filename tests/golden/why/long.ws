# args: -q -m functional long.ptx
# a warp that has executed more than a trace holds: its latest instructions are followed, writes further back are looked for with marks
set history on
buffer P u32[64] = zero
launch longest<<<1,32>>>(P)
goto-cycle 1200000
who-wrote P[0]
who-wrote %r2
why P[0] 3
why %d1
