# args: -q -m performance
# status: 4
# the device is in one mode at a time: who waits for a kernel of the other mode waits for ever
load polling.ptx
buffer out s32[4] = zero
simulate set
launch wait_for<<<1, 1, 0, 1>>>(out, 7)
launch set<<<1, 1, 0, 2>>>(7)
c
simulate all
reset
launch wait_for<<<1, 1, 0, 1>>>(out, 7)
launch set<<<1, 1, 0, 2>>>(7)
c
p out[0]
