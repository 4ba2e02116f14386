# args: -m functional ../contract/vecadd.ptx
# status: 3
# A present that stands in front of a fault is come back to: by a checkpoint, and after looking at what was. C has an element too few.
set history on
buffer A f32[64] = iota
buffer C f32[63] = zero
run vecadd<<<1, 64>>>(A, A, C, 64)
checkpoint here
who-wrote C[5]
why %f3 2
goto-cycle 3
restart here
p $cycle
who-wrote C[5]
rs
c
why %rd10 2
