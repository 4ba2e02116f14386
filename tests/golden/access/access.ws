# args: -m performance -c gt200-quadrofx5800
# Halves of a warp, addresses without a common step, a warp that isn't full, broadcast of one word only; looking changes nothing.
load access.ptx
buffer x u32[2048] = iota
buffer at u32[32] = {0, 400, 400, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 0, 64, 128, 192, 256}
launch narrow<<<1, 20>>>(at, x)
advance access.ptx:30
info access
advance access.ptx:36
info access
info access last
advance access.ptx:37
info access
stepi
info access
info access last
continue
print $cycle
