# prompt
# args: variables.ptx
# variables by their C names: values as gdb shows them (tests/scripts/test_c_variables.sh compares with gdb)
print origin
print table[1]
print i
buffer results s32[4]
b variables.cu:142
run kinds<<<1,4>>>(results, 7, {s32 3, s32 4}, 1.5)
info locals
info args
bt
print i
print n
print out
print/x arr
print/x pr
print/d c
print/c letter
print pr.p[1].y
print ptr
print *ptr
print ptr[1]
print ptr + 1
print ref
print &ref
print &arr
print &arr[1]
print *arr@2
print arr[1]@2
print arr[0..1]
print &pr.p[1]
print grid[1]
print text
print/x text
print *text@3
print head->next->v
print *head
print *bp
print fp
print *fp
print ne
print ne.one + ne.named.in
print tile
print (tile)[2]
print &tile[2]
print sizeof(pr)
print sizeof(struct bits)
print (app::color)5
print *(list *)head
print app::BLUE
print c == app::BLUE
print WRITE
print (access)6
print (access)12
print (access)0
print letter + 1
output bf
printf "%s %d %s %.2f\n", text, i, ne.text, w
display/x arr
x/3dw arr
x/s text
info lanes p.x
set print repeats 3
print tile
print zeros
set print elements 4
print tile
print text
# what can't be
print q
print pr.zz
print i.x
print *i
print pr + 1
print nosuch::i
print kinds::nosuch
print arr[1000000000]
