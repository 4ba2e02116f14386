# args: -m performance
load ../../gpgpusim/flow.ptx
buffer out s32[8192]
buffer o2 s32[8192]
launch work<<<10, 128, 0, 1>>>(out, 150, 3)
launch loop_trips<<<5, 64, 0, 2>>>(o2, 10, 15, 3)
catch launch
continue
continue
run-to-cycle 800
info kernels
info cuda kernels
info cuda sms
focus core 3 warp 2
focus kernel 1
stepi
focus core 14
cuda sm 7 warp 1 lane 3
info blocks
b loop_trips
delete
catch exit
continue
continue
continue
info kernels
