# prompt
# args: typed.ptx
# Inputs of the source's types. out[0].mean = 0.5 * 2 + 10 + 30, out[0].n = 2 + 5 + 2 + 10 by the source's own formulas.
set var coef = iota 10 0.5
set var totals = {1, 2, 3, 4, [2] = {9, 9}}
set var matrix = iota 5
set var A::weight = {30, 40}
buffer slots Slot[3] = {{1, USED, true, "ab", {{0.5, 1}, {1.5, 2}}}, {2, .stats = {{2.5, 3}}}, {.stats[0].mean = 42}}
print slots
print slots[0].stats[1].mean
print slots[1..2]
buffer out Stats[3] = fill {-1, 7}
print out
run gather<<<1, 32>>>({slots, 63, 3}, out, 2)
print out
print out[1].mean
print A::best
info buffers
whatis out
whatis out[1]
set out[1].mean = 2
set out[2] = {.n = 3}
print out[1..2]
save out typed-out.tmp
compare out typed-out.tmp
set out[1].mean = 2.5
set out[0].n = 0
compare out typed-out.tmp
compare out typed-out.tmp 1
buffer again Stats[3] = file typed-out.tmp
print again[2]
compare again[1..2] typed-out.tmp
shell rm -f typed-out.tmp
watch out[0].n
run gather<<<1, 32>>>(Table{slots, 63, 3}, out, 2)
delete
kill
run gather<<<1, 32>>>((struct Table){slots, .count = 1, .capacity = 1}, &out[2], 2)
print out[2]
run gather<<<1, 32>>>({u64 slots, s32 63, s32 1}, out, 4)
print out[0].mean
# mistakes show the layout
launch gather<<<1, 32>>>({slots, 63}, out, 2)
launch gather<<<1, 32>>>({slots, 63, 3, 4}, out, 2)
launch gather<<<1, 32>>>(slots, out, 2)
launch gather<<<1, 32>>>(Stats{1, 2}, out, 2)
launch gather<<<1, 32>>>({slots, 1.5, 3}, out, 2)
buffer bad Stats[2] = {{1, 2, 3}}
buffer bad Stats[2] = {{1, 2}, {3, 4}, {5, 6}}
buffer bad Stats[2] = {{.total = 3}}
buffer bad Stats[2] = {{1, -1}}
buffer bad Stats[2] = {{1, 2}, [2] = {3, 4}}
buffer bad Stats[2] = file typed.cu
buffer bad Stats[2] = iota
buffer bad Stats[2] = fill 3
buffer bad Slot[1] = {1, 2, 3, "four"}
buffer bad Stat[2]
buffer bad Stats
print out[1].total
