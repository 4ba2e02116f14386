# run: launch lanes<<<1,32>>>(A, 5)
# Lanes that are still to be told end the steps of those that were, as threads on a processor do: nobody is given up.
monitor break lane
break 51 if $laneid < 4
continue
next
next
print r2
next
next
next
next
print r2
info breakpoints
next
next
print r2
info threads 1 2 3 4 5
