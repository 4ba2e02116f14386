# prompt
# args: -m functional values.ptx
# Recording begins in the middle of the first launch: it knows nothing of what that has written, and says so; of the second one it knows all.
set history off
buffer A s32[32] = iota 1
buffer B s32[32]
buffer C s32[32]
launch square<<<1, 32>>>(A, B)
set history on
who-wrote B[3]
c
run square<<<1, 32>>>(A, C)
who-wrote A[3]
who-wrote B[3]
who-wrote C[3]
why B[3]
why C[3]
run square<<<1, 32>>>(B, C)
why C[3]
find-nan
