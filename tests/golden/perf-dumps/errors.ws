# args: -m performance -c tiny chain.ptx
# prompt
dp 1
dp
dp x
dp -1
dp 0 warp 4
dp 0 unit nothing
dp 0 unit
dp 0 sideways
dp 0 warp 1 --difference
dm 1
dm
dm 0 1
dicnt 99
ptxdis_func 0 0
ptxdis_func 0 999
ptx_tids2pcs 0,1 3 0
ptx_tids2pcs 200 0
ptx_tids2pcs 0
diagram
diagram warp 9
diagram cycle 5..3
diagram sideways
trace
trace NOTHING on
trace LDST maybe
trace LDST on core 4
print core[1].cycles
print core[0].nothing
print core[0].warp[-1].pc
print core[0].warp[4].pc
print core[0]
watch core[0].nothing
rwatch icnt.flits
watch core[0].warp[0].pc + 1
set core[0].cycles = 3
info fields nothing*
info scoreboard 3
