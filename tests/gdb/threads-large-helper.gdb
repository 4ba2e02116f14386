# target: none
# run: launch lanes<<<2,1024>>>(A, 5)
source ../../macros/warpstep.py
target remote @SERVER@
info threads 1 40
break 52 if r1 == 70
continue
thread find warp 31 lane 31$
thread 201
stepi
monitor focus block (1,0,0)
info threads 1030
