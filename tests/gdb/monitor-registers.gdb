# run: launch lanes<<<2,64>>>(A, 5)
# `monitor` moves the thread, then gdb reads registers it has not had yet: for it the thread stays where it was (gdb 13 aborts if not)
break 47
continue
next
next
monitor stepi
info registers laneid
next
# it looks again when it is told to
monitor stepi
maintenance flush register-cache
frame
next
