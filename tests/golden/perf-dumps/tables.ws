# args: -m performance -c tiny chain.ptx
buffer out u32[128] = iota
launch chain<<<2, 64>>>(out)
info occupancy
run-to-cycle 175
info cores
info scoreboard
info occupancy
info simt-stack
info barriers
ptxdis_func 0 33
ptx_tids2pcs 0,32,64 0
ptx_tids2pcs {0,32} 2 0
dm 0
