# args: -m performance -c tiny chain.ptx
buffer out u32[64] = iota
launch chain<<<1, 64>>>(out)
dp 0
run-to-cycle 168
dp 0
step
dp 0 --diff
dp 0 --diff
dp 0 warp 1
dp 0 unit simt
dp 0 unit ldst
dpc 0 unit fetch
dp 0 unit warps
