# args: -m functional -c tiny
# The spaces, guards, and an access whose own result replaces the address.
load access.ptx
buffer x u32[2048] = iota
buffer at u32[32] = iota 0 8
launch narrow<<<1, 32>>>(at, x)
advance access.ptx:31
info access
info access last
advance access.ptx:35
info access
advance access.ptx:38
info access
info access last
advance access.ptx:40
info access
stepi
info access
stepi
info access
stepi
info access
stepi
info access
print %s
stepi
continue
