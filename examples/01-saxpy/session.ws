# status: 3
# The kernel fails with an illegal access. Give it the same data it had in the program, and run it:
load saxpy.ptx
buffer x f32[256] = iota
buffer y f32[256] = fill 1
buffer z f32[200] = zero
run saxpy<<<4, 64>>>(200, 2.0, x, y, z)
# It stopped in front of the store that went wrong: 0 bytes past the end of z, one thread only. Which i was it?
info locals
print %r1
print %r2
# i is %r1 and n is %r2, both 200. The last element of z has the index 199: the test in line 11 must be i < n.
list saxpy.cu:11
