# prompt
# Expressions shown at each stop, numbered from 1 as in gdb; one that means nothing here is refused.
info display
load ../contract/vecadd.ptx
buffer A f32[8] = iota
buffer B f32[8] = fill 10
buffer C f32[8] = zero
launch vecadd<<<1, 8>>>(A, B, C, 8)
display A[1]
display/x $pc
display %nosuch
info display
stepi
display
undisplay 1
undisplay 1
undisplay x
# the largest numbers that are read
undisplay 9223372036854775807
undisplay 9223372036854775807-9223372036854775807
undisplay 77-9223372036854775807
stepi
delete display 2
info display
display C[0]
undisplay
info display
info display x
# before anything runs, what has a value only then is kept; what never has one is not
kill
display %r1 + 1
display threadIdx
display %nosuch
display %rd99
launch vecadd<<<1, 8>>>(A, B, C, 8)
focus thread 5
info lanes/x %tid.x
info lanes /x threadIdx.x + 1
