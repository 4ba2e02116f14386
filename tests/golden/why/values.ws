# prompt
# args: -m functional values.ptx
set history on
buffer A s32[32] = iota 1
buffer B s32[32]
buffer D s32[1] = zero
run square<<<1, 32>>>(A, B)
# B[4] = A[4] * A[4] = 5 * 5
why B[4]
who-wrote B[4]
who-wrote A[4]
who-wrote D[0]
set A[4] = 100
why A[4]
who-wrote A[4]
why A[5]
why B[31] 1
# Lane 30 of `pass` gets the value of lane 31, which has loaded shared[0], B[0] = 1 * 1; so it adds 1 + 1000. Lane 31 is its own source: 1 + 1000.
# Lanes go one after the other: before lane 31 there are sum of squares of 1 .. 31 (10416) of lanes 0 .. 30, and 31 * 1000.
launch pass<<<1, 32>>>(B, D)
break 42
continue
p %r8
why %r8
who-wrote %r8
who-wrote shared[0x7c]
who-wrote shared[0x80]
who-wrote %rd5
delete
focus lane 30
why %r10
continue
p D[0]
why D[0] 2
who-wrote D[0]
who-wrote B
who-wrote B[0..1]
who-wrote 5
who-wrote
# the machine stands where it stood
p $cycle
why B[4] 1
p $cycle
