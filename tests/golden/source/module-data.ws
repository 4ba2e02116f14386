# prompt
# args: variables.ptx
# Data of a module: names of their own, values at the prompt, and what hides them.
buffer table s32[4] = iota
buffer hidden s32[4]
print table
set var table = {7, 8}
print table
set var table = random 3 0 9
print table
set var table[1..2] = fill -5
print table
set table = zero
print table
set var n = fill 12
print n
set var n = 13
print n
# a buffer's name may be a kernel's parameter, or a variable's in a namespace
buffer p s32[2] = {1, 2}
print p
# a buffer that is there before the variable: the file isn't loaded
buffer coef f32[8]
load typed-plain.ptx
print totals
delete buffer coef
delete buffer coef
delete buffer
buffer best s32[2] = {5, 6}
load typed-plain.ptx
print best
print A::best
print ::best
print best.mean
set var A::best u32[2] = {1, 2}
set var A::best = {1, 2}
set var coef = zero
set var coef = file /nowhere/at/all
set var coef u8[32] = fill 1
print coef[31]
set var scale = 3 + 4.5
print scale
set var $x = {1, 2}
set var totals[0] = {1}
set var totals = 
b gather if %tid.x == 0
info variables
