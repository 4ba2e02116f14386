# args: -m performance ../contract/vecadd.ptx
# two streams side by side: each launch stops as its first block is placed
buffer A f32[256] = iota
buffer C f32[256] = zero
set break-on-launch application
launch vecadd<<<1, 64, 0, 1>>>(A, A, C, 64)
launch vecadd<<<1, 64, 0, 2>>>(A, A, C, 64)
continue
continue
continue
