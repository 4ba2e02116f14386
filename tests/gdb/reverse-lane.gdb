# run: launch lanes<<<1,32>>>(A, 5)
# With `break lane` each lane's hit is reported backwards as well: of lanes 0 and 1, in the fifth round, then in the fourth.
monitor break lane
break 73
continue
delete
break 58 if $laneid < 2
reverse-continue
print r8
reverse-continue
print r8
reverse-continue
print r8
reverse-continue
print r8
continue
print r8
