# args: -m functional chain.ptx
# prompt
dp 0
dpc 0
dm 0
dicnt
ptxdis_func 0 0
ptx_tids2pcs 0 0
trace ISSUE on
diagram
print core[0].cycles
watch core[0].cycles
info scoreboard
info trace
