# args: -m functional locks.ptx
# status: 4
# A deadlock that only some orders come to, found, and come to again by few choices; checkers find no race on the way
check race on
set check-action stop
buffer L u32[2] = zero
buffer sum u32[1] = zero
run locks<<<1, 64>>>(L, sum)
assert sum[0] == 2
schedule fuzz 100
assert sum[0] == 2
info findings
schedule 5
run
why hang
schedule 5 1 13
run
print L[0..1]
