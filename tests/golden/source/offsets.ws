# prompt
# args: variables.ptx
# ptype /o and pretty structures, as gdb 13 writes them at the stub
buffer results s32[4]
set source cuda
tb variables.cu:142
run kinds<<<1,4>>>(results, 7, {s32 3, s32 4}, 1.5)
ptype /o pr
ptype /o struct list
ptype /o struct bits
ptype /o nested
ptype /o base
ptype /o derived
ptype/o point
ptype base
whatis /o pr
ptype /o n
ptype /o int
ptype /q int
set print pretty on
print pr
print ne
print der
print grid
print *&l2
display p
info locals
show print pretty
set print pretty off
print pr
print -pretty -- pr
print -pretty off -elements 2 -repeats 3 -- tile
print -elements 3 -array on -- text
print -elements unlimited -- zeros
print -elements
print -n
print -5
print -- -n
print/r n
