# run: launch lanes<<<1,48>>>(A, 5)
# The second warp has 16 lanes.
break 57
continue
thread 48
info threads 47 48 49
print $active
