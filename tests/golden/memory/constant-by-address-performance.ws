# args: -m performance
# prompt
load constant-by-address.ptx
source constant-by-address.cmds
