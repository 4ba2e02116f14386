# The error is reported by the copy, but it isn't the copy's: run stops where the kernel goes wrong.
run
# The call that would have reported it:
info host
# The store is past the end of alloc_2, and the line that made it is named. Its size is 1000 bytes:
info buffers
# The third argument says for how many floats: `cudaMalloc(&out, n)` wants n * sizeof(float).
info args
print 1000 * sizeof(f32)
# Going on gives the program its error, as CUDA would.
continue
