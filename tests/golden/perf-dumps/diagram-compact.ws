# args: -m performance -c tiny split.ptx
# a quarter of each warp goes another way: 8 lanes from lane 0 on, 24 from lane 1 on
buffer out u32[64]
run split<<<1, 64>>>(out)
diagram compact
# as wide as the width that was set; never wrapped; what doesn't change over a whole stretch is left out
set width 50
diagram compact cycle 60..159 warp 0
diagram cycle 60..100
diagram cycle 60..100 compact warp 1
set width 0
diagram compact cycle 60..200
diagram cycle 60..120
set width 20
diagram compact warp 0 cycle 0..79
diagram warp 0 cycle 60..63
set width 1
diagram warp 0 cycle 60..63
