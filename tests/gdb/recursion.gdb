# run: launch sums<<<1,1>>>(A)
break 28
break 35
continue
continue
continue
delete 1
continue
backtrace
print r2
up
print r1
up 2
info locals
finish
