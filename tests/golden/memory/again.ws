# args: again.ptx
# prompt
source again.cmds
