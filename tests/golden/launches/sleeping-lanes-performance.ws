# args: -m performance
# status: 4
# As sleeping-lanes, in performance mode: a lane that sleeps lets others of its warp run: in the other branch, where all are to meet, of three that wait for each other. When nobody comes it is a deadlock.
load sleeping-lanes.ptx
buffer out u32[32] = zero
run branches<<<1, 32>>>(out)
assert out[0] == 1016 && out[15] == 1031 && out[16] == 1116 && out[31] == 1131
set var flag = 0
run meeting<<<1, 32>>>(out)
assert out[31] == 7 && out[0] == 0 && out[30] == 0
run chain<<<1, 30>>>(out)
assert out[0] == 2 && out[1] == 1 && out[2] == 3 && out[27] == 2 && out[28] == 1 && out[29] == 3
run never<<<1, 32>>>(out)
