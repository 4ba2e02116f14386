# status: 3
# A prefix sum of ones, which should give 1, 2, 3 and so on.
load scan.ptx
buffer in s32[64] = fill 1
buffer out s32[64] = zero
run scan<<<1, 64>>>(in, out)
# It stopped at a barrier that only a part of the warp has reached. Who is here, and who went round?
info simt-stack
print %r19
info lanes %r9
# With the distance %r19 = 1 every thread but t = 0 came into the branch (%r9 is t); thread 0 waits behind it. The barrier of
# line 21 must be reached by all threads: it has to move out of the if.
list scan.cu:18,24
