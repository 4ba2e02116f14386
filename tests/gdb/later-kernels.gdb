# run: launch memory<<<1,32>>>(A)
# run: launch lanes<<<1,32>>>(A, 5)
break memory
break lanes
continue
continue
print $kernel
continue
