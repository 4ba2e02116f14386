# kernel: inlined.ptx
# run: set source cuda
# run: buffer out s32[128] = zero
# run: launch mixed<<<1,64>>>(out, 2)
# into calls that were inlined, and over them
tbreak 25
continue
step
backtrace
step
backtrace
info frame
print r12
up
print r12
up
print param_1
down
finish
delete
tbreak 25
continue
step
next
next
print r2
next
next
step
backtrace
print r2
finish
break square
info breakpoints
# An address: for a name that has several blocks gdb takes the one whose symbol lies lowest in its own memory.
info scope *0x8000080
