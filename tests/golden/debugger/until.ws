# args: places.ptx
set source ptx
# Recursion, as gdb 13 does it on the same C program: until means the activation at hand, advance any, both stop in the caller
buffer out s32[1] = zero
buffer limit s32[1] = fill 4
tbreak depth
run deep<<<1, 1>>>(out, limit)
until 31
backtrace
until 51
backtrace
until 180
backtrace -1
# from within: the caller's activation, not a deeper one that returns to the same place
tbreak 35 if %r3 == 1
run
backtrace
advance 180
backtrace
tbreak 35 if %r3 == 1
run
until 26
backtrace
# advance: the innermost
tbreak 35 if %r3 == 1
run
advance 26
backtrace
advance 51
backtrace
# of the selected activation
up 2
until 51
backtrace
continue
print out[0]
