# run: launch lanes<<<1,32>>>(A, 5)
# Before another thread goes back gdb takes the one that it has reported over its breakpoint. That may be at the beginning, which gdb 13 must not hear of then.
break *0x8000078
continue
thread 20
reverse-stepi
break 52
continue
delete
thread 20
reverse-stepi
print $pc
