# args: -m performance -c tiny chain.ptx
# core N and warp N choose the rows of the tables
buffer out u32[128] = iota
info cores 0
info warps core 0
launch chain<<<2, 64>>>(out)
run-to-cycle 175
info cores 0
info cores core 0 warp 2
info warps warp 1
info warps core 0 warp 3
info scoreboard 0 warp 0
info scoreboard warp 2
info simt-stack warp 2
info simt-stack core 0 warp 0
focus block (0,0,0)
info simt-stack core 0
run-to-cycle 250
info warps warp 3
info config *cflog_int*
info config -PTX_line_stats_file*
