# run: launch lanes<<<2,64>>>(A, 5)
# Lanes of odd numbers only: the lowest of them is told.
break 65
continue
print $laneid
print/x $active
print r4
