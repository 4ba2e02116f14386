# args: -m functional
# prompt
# Lanes 0 to 3 of warp 0 come to the barrier, lanes 4 to 31 leave without it: lane by lane what is said of both, until all go on
load ../contract/early-return.ptx
buffer out s32[128] = fill -1
break 45
run later<<<1,64>>>(out)
delete 1
stepi
info simt-stack
info warps
info barriers
info cuda barriers
info threads
# a step moves the lanes that run
focus lane 2
stepi
backtrace
next
info barriers
continue
