# prompt
# args: inlined.ptx
# functions inlined in -G code are frames with variables of their own (the gdb stub's gdb shows the same)
buffer results s32[8]
set source cuda
b inlined.cu:7 if value == 10
info breakpoints
run inlined<<<1,8>>>(results, 3)
bt
info frame
info locals
info args
print least
print value
print low
print r
print inlined::r
up
info locals
info args
print r
print first
up
info locals
info args
print first
bt 1
down 2
delete
b clamp
b range::clamp
b ::clamp
tb inlined.cu:twice
info breakpoints
info scope clamp
info scope twice
info scope inlined.cu:twice
info scope inlined.cu:7
info scope inlined
# a variable of an inlined function is watched like any other
delete
tb clamp
run
watch least
tb inlined.cu:7
c
up
watch first
c
info breakpoints
