# run: launch lanes<<<2,64>>>(A, 5)
monitor break lane
break 57
continue
continue
continue
print $laneid
monitor break auto
continue
