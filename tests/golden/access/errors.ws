# prompt
# args: -m functional -c tiny
info access
load access.ptx
buffer x u32[2048] = iota
buffer at u32[32] = {4, 8, 4, 100, 64, 0}
launch narrow<<<2, 32>>>(at, x)
info access
step
info access now
info access next
info access last
advance access.ptx:44
info access
stepi
info access
info access last
info access next
focus block (1,0,0)
info access
delete
continue
info access
