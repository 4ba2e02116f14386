# args: -m performance -c tiny chain.ptx
# what info stalls counts is what the statistics count: W0_Idle, W0_Scoreboard, Stall; issued: W1 to W32
buffer out u32[128] = iota
info stalls
set stalls on
launch chain<<<2, 64>>>(out)
run-to-cycle 175
info stalls
info stalls warp 1
stats W0_*
stepi
info stalls core 0
continue
info stalls
info stalls warp 0
info stalls warp 3 core 0
info stalls warp 2 core 0
stats W0_*
# counted anew: the statistics are, too
stats reset
info stalls
run chain<<<2, 64>>>(out)
info stalls 0
stats W0_*
reset
info stalls
set stalls off
info stalls
