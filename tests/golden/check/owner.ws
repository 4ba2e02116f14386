# args: -q -m functional mistakes.ptx
# status: 3
# a buffer is the user's, even if it is called as a program's allocations are
set check-action report
check memory on
buffer alloc_1 f32[200] = fill 1
buffer alloc_22 f32[200]
run past<<<4, 64>>>(alloc_22, alloc_1)
