# run: launch lanes<<<1,32>>>(A, 5)
# A thread that is shown at a hit from which its warp has gone on, to its end: stepped back it goes back from there.
monitor break lane
watch A[40]
break 73
continue
continue
reverse-stepi
print $pc
