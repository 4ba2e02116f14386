# args: -m functional
# prompt
load constant-addresses.ptx
source constant-addresses.cmds
