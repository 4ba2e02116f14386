# args: divergence-table.ptx
# brx.idx: a part for each label, and for lanes whose guard is false
buffer out u32[32]
catch divergence
catch divergence after if %r1 == 3
save breakpoints divergence-table.txt
shell cat divergence-table.txt; rm divergence-table.txt
run table<<<1, 32>>>(out)
continue
continue
print out
