# args: -q -m functional heap.ptx
# status: 1
set launch-sync-depth 25
