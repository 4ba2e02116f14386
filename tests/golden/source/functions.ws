# prompt
# args: variables.ptx
# functions as values, commas, names outside of functions: in gdb's words, as gdb shows them at the stub
buffer results s32[4]
set source cuda
print add
print &add
print *add
print *&add
print app::derived::f
ptype add
whatis add
whatis &add
ptype scale
ptype kinds
print sizeof add
print/x add
print add + 8
print add == &add
set $f = scale
print $f
print *$f
print $
print add(1, 2)
print (long)&scale
output scale
info symbol add
info symbol &scale
info symbol scale + 8
info address add
x/i add
x/2i &scale
print 1, 2
print (1, 2) + 1
print (1, 2
print 1,
set var results[1] = (3, 4)
print results[1], results[0]
print (results[0] = 5, results[0] + 1)
printf "%d %d\n", (1, 2), 3
break add if 0, 1
run kinds<<<1,4>>>(results, 7, {s32 3, s32 4}, 1.5)
condition 1
up
print n
print ::n
print ::hidden
print ::kinds
print ::kinds::n
print ::app::BLUE
print app::BLUE
print ::results[0]
print ::nothing
print ::%r1
print $pc
break *add
break *&scale
tbreak ::add
display add, 1
# cuda-gdb's spaces count from their beginning
print *(@shared int *)&tile
print (@shared int *)&tile
print (@shared int *)0
print *(@shared int *)0
print ((@shared int *)0)[1]
x/2dw (@shared int *)0
print *(@global int *)&results
print "abc"[1]
print *(@shared int *)0x800000
info types
info types ^[bv]
info types nothing
info types [
