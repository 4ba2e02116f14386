# kernel: returns.ptx
# run: set source cuda
# run: launch returns<<<1,32>>>(A)
tbreak returns
continue
thread 3
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
