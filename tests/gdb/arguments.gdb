# kernel: ../golden/source/hash-g.ptx
# run: set source cuda
# run: buffer keys u32[32] = iota 24470
# run: buffer slots u32[128] = zero
# run: buffer count s32[1] = zero
# run: launch fill<<<1,32>>>(slots, 63, keys, 32, count)
# a condition on an argument: gdb's breakpoint at a function is behind its prologue, where arguments have been taken from their parameters
info args
break insert if key == 24480
continue
info args
print $_thread
