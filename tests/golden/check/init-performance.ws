# args: -q -m performance init.ptx
# status: 3
# the same findings in performance mode
check init on
buffer A s32[32]
buffer B s32[33]
run uses<<<1, 32>>>(A, B)
info findings
