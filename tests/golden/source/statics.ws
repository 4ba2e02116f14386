# prompt
# args: statics.ptx
# names of shared and static variables at a function's first instruction, where their blocks haven't begun
buffer out s32[4]
set source cuda
launch statics<<<1,4,64>>>(out)
print tile[1][2]
whatis tile
print sizeof(tile)
print &tile[1]
# dynamic shared memory has the size that the launch gives
whatis dyn
print dyn
print sizeof(dyn)
print dyn[0..3]
# two blocks have an m of their own
print m
watch tile[1][2]
watch dyn[3]
continue
continue
print dyn
delete
break keep
continue
whatis slot
print calls
print slot[2]
watch slot[2] if slot[2] == 6
continue
print calls
