# prompt
# args: variables.ptx
# set var: registers, memory, members, bit-fields, enumerations, whole structures; and what the kernel makes of it
buffer results s32[4]
tbreak variables.cu:142 if i == 3
run kinds<<<1,4>>>(results, 7, {s32 3, s32 4}, 1.5)
print i
set var p.x = 55
print p
set var bf.b = 7
set var bf.d = 1
print bf
set var bf.b = 16
print bf
set var c = app::RED
print c
set var m = 0
print m
set var f = 2.25
print f
set var letter = 'z'
print letter
set var small = -7
print small
set var flag = 5
print flag
set var pr.p[0] = p
print pr
set var arr[1] += 5
print arr
set var ptr = arr
print *ptr
set var ptr = ptr + 1
print *ptr
print ++*ptr
print arr
set var un.f = -1.5
print un
set var text[0] = 74
print text
set var text = "bye"
print text
set var origin.y = 70
print origin
set var table[2] = 33
print table
set var tile[31] = 31
print tile
set var ref = 1000
print arr
set var head->next->v = 12
print l1
set var $copy = pr
print $copy.p[1]
print $copy
set var i = 1
print i
# what can't be
set var pr = arr
set var pr = 1
set var arr = text
set var q = 1
set var 5 = i
set var text = "much longer than twelve"
