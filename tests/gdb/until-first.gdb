# gdb is still at the launch: until goes to the first line, not to the end.
# kernel: lanes.ptx
# run: launch lanes<<<2,64>>>(A, 5)
until
until
until
info threads 1
