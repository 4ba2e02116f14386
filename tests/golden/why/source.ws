# prompt
# args: -m functional ../../gdb/c-variables.ptx
# Names of the source (nvcc -G): what they are here comes first. Thread 3: tile[3] = 3 + 5, sum = 2 * (8 + 9 + 10) = 54, out[3] = 54 + 7.
set history on
buffer out s32[32] = zero
b c-variables.cu:29
run points<<<1, 32>>>(out, 9)
focus thread (3,0,0)
info locals
why sum 3
why p.y 2
why tile[3] 4
why p.tag[1]
who-wrote sum
why t 2
c
c
why out[3] 4
why total
