# a step is over when the warp has executed its instructions, also if then it is the turn of another warp: after 4096 instructions, and where
# the last warp opens a barrier
load step-others.ptx
launch rounds<<<1, 96>>>(2000)
stepi 4096
info warps
stepi 1
info warps
kill
launch rounds<<<1, 96>>>(2)
break 14 if %warpid == 2
continue
stepi
info warps
