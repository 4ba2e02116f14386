# kernel: calls.ptx
# args: -m performance
# run: launch work<<<500, 256>>>(A, 256)
# In the kernel's own frame, too, `advance` and `until` are for one thread of 128,000, and so is reverse-finish.
set print frame-info location
tbreak calls.cu:14
continue
advance 15
until 16
advance 17
step
next
reverse-finish
reverse-next
next
step
next
