# args: -m performance -c tiny chain.ptx
buffer out u32[64] = iota
launch chain<<<1, 64>>>(out)
break *0x70 if core[0].warp[0].issued > core[0].warp[1].issued
break 26 warp 1 if core[0].warp[1].reserved == 0
info breakpoints
continue
continue
