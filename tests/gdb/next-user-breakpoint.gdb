# kernel: calls.ptx
# args: -m performance
# run: launch work<<<16, 256>>>(A, 256)
# A breakpoint of gdb's user stops for any thread: in a function that `next` steps over, and behind the call, where gdb has one of its own.
set print frame-info location
tbreak calls.cu:14
continue
tbreak calls.cu:7
next
backtrace
break *0x8000130
ignore 3 40
continue
info breakpoints
continue
