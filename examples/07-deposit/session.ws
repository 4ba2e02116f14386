# status: 4
# 64 deposits of 5 make 320.
load deposit.ptx
buffer lock s32[1] = zero
buffer balance s32[1] = zero
buffer amounts s32[64] = fill 5
run deposit<<<1, 64>>>(lock, balance, amounts)
# Nobody gets on. Somebody has the lock, and no deposit was made:
print lock[0]
print balance[0]
# What did the compare-and-swap return to each lane the first time, and where are the lanes now?
info lanes %r8
info simt-stack
# The lane that got the lock has left the loop and waits for the others of its warp, which spin until it gives the lock
# back: on hardware that runs a warp in lock step this never ends. The deposit and the unlock have to be inside the loop.
list deposit.cu:11,15
