# prompt
# A texture read in a kernel: its step, and what its result was made of.
load filter.ptx
buffer O f32[4]
texture T f32[4,2] = iota 0 10
set history on
launch fetch<<<1, 4>>>(T, O, 0.5, 0.5)
break filter.ptx:23
continue
info access
stepi
why %f4
disassemble
who-wrote %f4
