# kernel: calls.ptx
# args: -m performance
# run: launch work<<<500, 256>>>(A, 256)
# Over a call, into it and out of it gdb puts breakpoints of its own: they concern the thread that it steps, not the 127,999 others. (It used to be told
# of each lane of each warp that came by, and took minutes.)
set print frame-info location
tbreak calls.cu:14
continue
next
next
next
next
next
step
finish
next
next
step
until 7
next
next
next
step
step
advance 7
finish
nexti
next
