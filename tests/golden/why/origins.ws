# args: -m functional origins.ptx
# find-nan, why and who-wrote agree on values that go through compare-and-swap loops, 64-bit words, the heap of kernels and initial values.
# Lane 9 takes the root of -1: the NaN is born there (line 22), whichever lane has added last. The two words of `wide` are one double.
set history on
buffer x f32[32] = iota
set x[9] = -1
buffer sum f32[1]
buffer wide u64[1]
run sums<<<1, 32>>>(x, sum, wide)
find-nan
find-nan wide
who-wrote wide[0]
why wide[0] 3
# the upper half was written last, each half by its own store; words[3] is 3 and 4: 4 * 2^32 + 3
buffer n u32[4] = iota
buffer words u64[4]
buffer both u32[4]
run halves<<<1, 4>>>(n, words, both)

who-wrote words[3]
why words[3] 3
why both[3] 6
# the heap of kernels has 8 MiB: 64 MiB don't fit
buffer p u64[32]
run heap<<<1, 32>>>(p, 67108864)
why p[5] 5
run heap<<<1, 32>>>(p, 64)
why p[0] 3
# nothing has written what a module's variables have from the beginning
buffer y f32[4]
buffer z s32[4]
run scaled<<<1, 4>>>(x, y, z)
who-wrote ((f32*)scale)[1]
why ((f32*)scale)[1]
why y[1] 3
who-wrote never[1]
find-nan y
find-nan y[2]
# a double that is stored as two words, the lower one last, and put together again
set x[2] = -4
buffer wide2 f64[4]
buffer again f64[4]
run split<<<1, 4>>>(x, wide2, again)
find-nan wide2
find-nan again
