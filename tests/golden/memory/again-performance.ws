# args: -m performance again.ptx
# prompt
source again.cmds
