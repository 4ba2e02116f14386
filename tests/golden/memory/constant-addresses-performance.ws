# args: -m performance
# prompt
load constant-addresses.ptx
source constant-addresses.cmds
