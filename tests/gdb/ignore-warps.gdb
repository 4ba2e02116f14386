# run: launch lanes<<<2,64>>>(A, 5)
monitor break warp
break 58
ignore 1 3
continue
print r8
print $laneid
