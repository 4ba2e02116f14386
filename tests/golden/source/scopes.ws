# prompt
# args: variables.ptx
# which variable a name is: blocks, shadowing, frames, functions by name, conditions
buffer results s32[4]
buffer arr s32[3] = iota 5
set source cuda
b variables.cu:136 if j == 2 && threadIdx.x == 1
run kinds<<<1,4>>>(results, 7, {s32 3, s32 4}, 1.5)
print i
print j
print kinds::i
# a buffer comes before a variable of the source, which comes before one of the module
print arr
print n
print kinds::n
delete
tbreak variables.cu:140
continue
print i
print f
info locals
b variables.cu:80 if k == 1
continue
bt
print k
up
print k
print rest
up 2
print i
print factorial::k
print kinds::letter
down
info args
down
print kinds::arr[1]
print add::a
b variables.cu:142 if nosuch == 1
b variables.cu:142 if kinds::nosuch == 1
b variables.cu:142 if kinds::i == 1
info breakpoints
delete
continue
print kinds::i
print i
# a name that is out of scope says where it is in scope
delete
tbreak variables.cu:142
run
print j
why j 4
print nosuch
