# args: -m performance -c tiny chain.ptx
# after going back it is what it was there, and again what it was where that is come to; what runs aside counts nothing
set history on
set stalls on
buffer out u32[128] = iota
launch chain<<<2, 64>>>(out)
run-to-cycle 175
why %r5
info stalls
rsi 3
info stalls
goto-cycle 175
info stalls
continue
info stalls
stats W0_*
