# args: -m performance
# What became of the transactions of a load: two warps load the same line, and the one that asks second merges; later the line hits. A transaction that no cache has
# taken yet is told by what it would be. An access stays the last one while the instructions behind it are executed in order.
load taken.ptx
buffer a f32[64] = iota
buffer out f32[64] = zero
launch taken<<<1, 64>>>(a, out)
focus warp 1
run-to-access
info access
stepi
info access last
step 2
info access last
step 3
info access last
run-to-access
info access
stepi
step 3
info access last
run taken<<<1, 64>>>(a, out)
launch taken<<<1, 32>>>(a, out)
run-to-access
stepi
step 3
info access last
