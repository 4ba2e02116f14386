# args: returns.ptx
# cuda-gdb's tables with its column titles (CUDA-GDB documentation, "Info CUDA Commands"), in a diverged warp
buffer to s32[64] = zero
launch returns<<<2, 24>>>(to)
info cuda devices
info cuda kernels
tb small
c
info cuda kernels
info cuda threads
info cuda blocks
info cuda warps
info cuda lanes
info cuda barriers
info barriers
focus thread 9
info cuda barriers
info simt-stack
info cuda line
delete
c
info cuda kernels
info cuda threads
info cuda blocks
info cuda warps
