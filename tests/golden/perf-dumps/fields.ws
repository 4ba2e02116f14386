# args: -m performance -c tiny chain.ptx
buffer out u32[64] = iota
launch chain<<<1, 64>>>(out)
print core[0].warp[0].pc
print core[0].scheduler[0].last
run-to-cycle 170
print core[0].warp[0].pc == $pc
print core[0].warp[1].pc
print core[0].warp[0].active
print/x core[0].warp[0].active
set $w = 1
print core[0].warp[$w].issued + core[0].warp[0].issued == core[0].issued
print core[0].scheduler[0].last
print partition[0].l2.mshr.used
print partition[0].dram.bank[0].row
print partition[0].dram.bank[1].row
print cluster[0].response
print icnt.flits_in - icnt.flits_out == icnt.flits
display core[0].warp[0].pc
watch core[0].warp[0].pc
continue
continue
undisplay 1
delete
watch cluster[0].flits_in if core[0].warp[1].issued > 12
continue
info breakpoints
delete
continue
print core[0].threads
print core[0].warp[0].pc
