# args: -m performance -c tiny chain.ptx
# after going back it is counted from there on; what runs aside counts nothing
set history on
set stalls on
buffer out u32[128] = iota
launch chain<<<2, 64>>>(out)
run-to-cycle 175
why %r5
info stalls
rsi 3
info stalls
continue
info stalls
stats W0_*
