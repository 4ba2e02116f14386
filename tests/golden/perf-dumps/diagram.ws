# args: -m performance -c tiny chain.ptx
buffer out u32[64] = iota
launch chain<<<1, 64>>>(out)
run-to-cycle 170
diagram
diagram warp 1 cycle 68..88
diagram off
diagram auto
continue
diagram cycle 170..400
