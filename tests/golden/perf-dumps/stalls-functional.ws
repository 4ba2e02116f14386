# args: -m functional -c tiny chain.ptx
# prompt
set stalls on
info stalls warp
info stalls warp 99
info stalls core 1
info stalls all
info stalls warp 0
set stalls maybe
