# target: extended
# run: launch lanes<<<2,64>>>(A, 5)
# gdb keeps the connection when it detaches, and can run again
break lanes.ptx:58
continue
detach
info program
run
print r8
kill
info threads
run
continue
