# args: again.ptx
# prompt
# more than is ever read at once: what needs its place or its type only doesn't read it
buffer L u8[200000000]
run row<<<1, 4>>>(L)
x/4xb L
x/2xw &L[199999992]
whatis L
ptype L
print L[0..3]
print &L[199999999]
print sizeof(L)
set L[199999999] = 7
print L[199999999]
print L
run row<<<1, 1>>>(L[0..200000000])
