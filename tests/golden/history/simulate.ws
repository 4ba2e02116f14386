# args: -m functional ../why/values.ptx
# The performance model is built after recording has begun: going back to before that, forward again, and two modes compared
set history on
buffer A s32[32] = iota 1
buffer B s32[32]
run square<<<1, 32>>>(A, B)
simulate square#2
run square<<<1, 32>>>(A, B)
p $cycle
goto-cycle 3
p %r1
c
p $cycle
goto-cycle 12
goto-cycle 400
why warp 0
c
p $cycle
diff-launch 0 1
who-wrote B[3]
undo 2
p $cycle
