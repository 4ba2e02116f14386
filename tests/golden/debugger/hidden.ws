# prompt
# args: hidden.ptx
# Module data with values from the prompt, and names that hide it: out[i] = coef[i] / 2.
buffer coef f32[4] = iota
buffer out f32[4] = zero
set var coef = {1, 2.5, 3, -4}
run weigh<<<1, 4>>>(out, 0)
print out
# between launches, and while a kernel stands
set var coef = iota 10 10
run weigh<<<1, 4>>>(out, 0)
print out
launch weigh<<<1, 4>>>(out, 7)
set var coef[1..2] = fill 0
print counts
print ::counts
set var ::counts = {{1, 2}, {4, 5, 6}}
print ::counts
set var counts = {1, 2}
print counts
set var ::counts = {{1, 2, 3, 4}}
set var ::counts = {{1, 2, 3}, {4}, {5}}
set var ::counts u64[3] = iota 1 2
print ::counts
n 7
print factor
print ::factor
set var ::factor = fill 1.5
print ::factor
print factor
set var factor = {2}
print &::factor
print out[0..1]
c
print out
print ::out
print factor.x
set var coef = {1, 2, 3, 4, 5}
set var coef = {1, {2}, {3, 4}}
set var coef = {1, 2
set var coef = fill
set var coef = random 1 3
set var coef = {}
print coef
set var factor = 9
print factor
