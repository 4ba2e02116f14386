# args: -q -m performance -c tiny -o '-gpgpu_max_concurrent_kernel 8' waiting-launches.ptx
# status: 4
# Performance mode: blocks that wait for launches, which can't become resident beside them. The report and `why hang` say so, and why.
buffer P s32[1] = zero
buffer O s32[32] = zero
run parent<<<2, 2>>>(P)
why hang
kill
run first_waits<<<2, 32>>>(P, O)
assert O[1] == 1 && O[0] == 0
kill
run polls<<<2, 32>>>(P)
kill
# one of the kernels too many
buffer B s32[1] = zero
run meet<<<3, 1>>>(B, 3)
