# args: -m functional
# prompt
load constant-by-address.ptx
source constant-by-address.cmds
