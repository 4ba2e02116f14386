# run: launch lanes<<<1,32>>>(A, 5)
# Conditions that gdb evaluates itself, and ignore counts, backwards: each lane of the warp has its turn, as forwards.
break 73
continue
delete
break 58 if $_thread == 7
reverse-continue
print r8
reverse-continue
print r8
delete
break 58
ignore 3 2
reverse-continue
print r8
info breakpoints
