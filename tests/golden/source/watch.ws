# prompt
# args: variables.ptx
# watching variables of the source: members, bit-fields, arrays, and one that is in one register after the other
buffer results s32[32]
set source cuda
tbreak variables.cu:91
run kinds<<<1,4>>>(results, 7, {s32 3, s32 4}, 1.5)
watch p.x
watch bf.b
watch c
watch arr
watch bp
continue
continue
continue
continue
continue
continue
continue
info watchpoints
delete
load ../../gdb/moving.ptx
launch moving<<<1,32>>>(results, 5)
focus thread (2,0,0)
tbreak moving.cu:6
continue
watch acc
continue
continue
continue
continue
continue
