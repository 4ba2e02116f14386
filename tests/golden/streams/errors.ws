# args: -m performance -c mondrian
# status: 3
load deal.ptx
buffer r0 u32[96] = iota 5 3
buffer out u32[96] = fill 0
# the 13th round reads past the end, before anything of the instruction has happened
run deal<<<1, 8>>>(1, r0, 96, 0, 0, 13, out)
kill
# no such stream
run deal<<<1, 8>>>(0, 0, 0, 0, 0, 1, out)
kill
if 1
run deal<<<1, 8>>>(9, r0, 96, 0, 0, 1, out)
end
