# run: launch lanes<<<1,64>>>(A, 5)
# A step back is one of the thread that its user is on, whichever gdb has asked for last: `info threads` asks for all.
break 52
continue
thread 3
delete
pipe info threads | grep -c lanes
reverse-stepi
print $_thread
pipe info threads | grep -c lanes
reverse-next
print $_thread
