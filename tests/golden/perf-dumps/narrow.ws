# args: -m performance -c tiny chain.ptx
# tables and dumps of 80 columns: columns that don't fit come below, after what the row is about; long lines go on indented
buffer out u32[64] = iota
launch chain<<<1, 64>>>(out)
run-to-cycle 168
info cores
set width 80
info cores
info scoreboard
info warps
dp 0 unit ibuffer
dp 0 unit ldst
set width 40
info scoreboard
dp 0 unit ldst
set width 20
info cores
set width 0
info cores
