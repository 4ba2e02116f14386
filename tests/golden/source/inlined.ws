# prompt
# args: inlined.ptx
# functions inlined in -G code: their variables are those of the function around them
buffer results s32[8]
set source cuda
b inlined.cu:7 if value == 10
run inlined<<<1,8>>>(results, 3)
bt
info locals
info args
print least
print value
print low
print r
print inlined::r
