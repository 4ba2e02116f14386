# run: launch lanes<<<1,32>>>(A, 5)
# A step back over a write that is watched is reported, as `reverse-continue` does: gdb knows the value then, and the same write forwards is one again.
watch A[3]
continue
reverse-stepi
stepi
delete
break 59
reverse-continue
# of another thread, too; where its condition is false gdb goes on to where its own thread is
thread 2
watch r8 if r8 == 99
thread 1
reverse-stepi
print r8
stepi
print r8
# several that one way back has changed are reported one after the other
thread 3
watch r8
thread 4
watch r8
thread 1
reverse-stepi
reverse-stepi
reverse-stepi
