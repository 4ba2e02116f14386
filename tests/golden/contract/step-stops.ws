# args: -m functional ../../../examples/02-block-sum/block_sum.ptx
# A step of one warp: hits of other warps' breakpoints are counted, run no commands, delete no tbreak and use up no ignore count. In the first round,
# threads 0 to 63 reach line 17 and all four warps line 18.
buffer in s32[256] = iota
buffer sums s32[2] = zero
break block_sum.cu:17
run block_sum<<<2, 128>>>(in, sums)
commands 1
print 111
end
tbreak block_sum.cu:18 if threadIdx.x > 31
break block_sum.cu:18
ignore 3 1
next
next
info breakpoints
delete 2
delete 3
set step-stops all
show step-stops
next
next
set step-stops focus
catch barrier
next 2
