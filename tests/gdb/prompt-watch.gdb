# run: launch lanes<<<1,32>>>(A, 5)
# a watchpoint of warpstep's own prompt stops gdb's commands, also those that step
monitor watch A[3]
monitor watch tile[2]
continue
info threads 1
monitor delete 2
break 69 if $tid_x == 3
continue
next
next
next
print A[3]
monitor delete
continue
