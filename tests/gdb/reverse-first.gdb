# run: launch lanes<<<1,32>>>(A, 5)
# A step back to a thread's first instruction ends there, also if gdb has never stopped at it: not before its launch.
break 48
continue
delete
reverse-stepi
print $pc
stepi
reverse-next
print $pc
reverse-stepi
