# args: chain.ptx
# prompt
buffer out u32[1024] = iota
launch chain<<<9, 64>>>(out)
info cores 3
step
info cores core 1
info cores warp 1
info warps warp 0
info warps core 1
info simt-stack core 1 warp 0
info cores 99
info warps 1
info cores 1 2
info simt-stack warp
info warps warp 48
info config *nothing*
