# prompt
# args: ../../gdb/returns.ptx
# what functions return, with the types of the source: the values of tests/gdb/finish-value.want
buffer A s32[64] = iota
set source cuda
launch returns<<<1,32>>>(A)
focus thread (2,0,0)
tbreak a_pointer
continue
finish
tbreak an_int
continue
finish
tbreak a_bool
continue
finish
tbreak a_long
continue
finish
tbreak a_float
continue
finish
tbreak a_double
continue
finish
tbreak two
continue
finish
tbreak four
continue
finish
tbreak three
continue
finish
tbreak many
continue
finish
print $.b[1]
print $1
