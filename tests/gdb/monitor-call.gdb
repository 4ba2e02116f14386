# run: launch lanes<<<1,32>>>(A, 5)
# `monitor` moves the thread into a function, then gdb reads a register it has not had yet: its frame stays as it was (gdb 13 aborts if not)
break 57
continue
monitor stepi
info registers r12
info registers rsp
backtrace
maintenance flush register-cache
backtrace
info registers rsp
# it is seen where it is, and a step of gdb's begins there
monitor stepi
info registers r12
next
backtrace
