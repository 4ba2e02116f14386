# run: launch lanes<<<1,64>>>(A, 5)
# A command that was applied to other threads has selected none of them.
break 58
continue
delete
thread 3
thread apply 5 print r1
print r1
reverse-stepi
print $_thread
thread apply 6 7 8 9 info registers rip
reverse-stepi
print $_thread
