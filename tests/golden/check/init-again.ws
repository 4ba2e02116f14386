# args: -q -m functional init.ptx
# status: 3
# `run` alone begins with memory as the first run found it: what wasn't initialised then isn't again, and each finding comes as often again
check init on
buffer A s32[32]
buffer B s32[33]
run uses<<<1, 32>>>(A, B)
info findings
run
info findings
# what the host writes in between isn't taken back by a launch with arguments
buffer C s32[32] = fill 1
run uses<<<1, 32>>>(C, B)
run
info findings
# switched on after the launch that is repeated: what was there then is as it is now
check init off
buffer D s32[32] = zero
run uses<<<1, 32>>>(D, B)
check init on
run
info findings
