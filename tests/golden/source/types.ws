# prompt
# args: variables.ptx
# types of the source as gdb writes them
buffer results s32[4]
b variables.cu:142
run kinds<<<1,4>>>(results, 7, {s32 3, s32 4}, 1.5)
whatis pr
whatis c
whatis cv
whatis bp
whatis mask
whatis pr.p
whatis &pr.p[1]
whatis *head
whatis grid[0]
whatis out
whatis n
whatis flag_at
ptype c
ptype rights
ptype pr
ptype bf
ptype un
ptype ne
ptype grid
ptype ref
ptype ptr
ptype fp
ptype der
ptype vf
ptype head
ptype struct list
ptype pair_t
whatis pair_t
ptype vec<float, 4>
ptype union number
ptype struct nosuch
ptype enum access
whatis (list *)0
ptype int
