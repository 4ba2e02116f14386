# args: -m functional
# Additions that are lost where warps take turns between load and store; by atomics none is. What is read before a barrier depends on the
# order, after it doesn't. A seed gives the same order again, however it is cut, also after steps back.
load fuzz.ptx
set history on
buffer C u32[64] = zero
run lost<<<2, 64>>>(C)
assert C[0] == 4
schedule fuzz 100
schedule
schedule 2
run
print C[0]
# the few choices that are enough end the same way
schedule 2 1 3
run
print C[0]
schedule 2 1 2
run
assert C[0] == 4
schedule 2
launch
step 7
rs 3
stepi
c
print C[0]
schedule default
run
assert C[0] == 4
buffer K u32[1] = zero
run kept<<<2, 64>>>(K)
schedule fuzz 100 7
assert K[0] == 128
run meets<<<2, 64>>>(C)
schedule fuzz 60
run early<<<2, 64>>>(C)
schedule fuzz 100
# by priorities, which are the same for later launches of the same
schedule fuzz 1 13
schedule 13
run
assert C[0] == 32
run
assert C[0] == 32
schedule default
run breaks<<<2, 64>>>(C)
schedule fuzz 100
