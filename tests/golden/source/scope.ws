# prompt
# args: variables.ptx
# where variables of the source are, without a thread
info scope add
info scope variables.cu:136
info scope nosuch
info scope
load ../../gdb/moving.ptx
info scope moving
load ../contract/vecadd.ptx
info scope vecadd
