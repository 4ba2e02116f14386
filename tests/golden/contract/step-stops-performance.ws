# args: -m performance ../../../examples/02-block-sum/block_sum.ptx
# As step-stops.ws, where warps run side by side.
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
delete 3
set step-stops all
show step-stops
next
next
set step-stops focus
catch barrier
next 2
