# args: -m performance
# run: launch lanes<<<1,64>>>(A, 5)
# Each lane is told in front of the instruction: 4 * tid isn't in r2 yet, nor 2 * tid in A[tid]
monitor break lane
break 51 if $laneid < 4
commands 1
silent
printf "thread %d: r1 %d, r2 %d\n", $uid, r1, r2
continue
end
break 72 if $laneid < 3
commands 2
silent
printf "thread %d: f2 %g, A[%d] %g\n", $uid, f2, r1, A[r1]
continue
end
continue
