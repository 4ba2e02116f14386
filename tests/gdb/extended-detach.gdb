# target: extended
# run: launch lanes<<<2,64>>>(A, 5)
# gdb keeps the connection when it detaches, and can run again
break lanes.ptx:58
continue
# afterwards there are no threads, as with a program on a CPU: a list of them would bring gdb back to one it has left
detach
info threads
info program
next
run
print r8
kill
info threads
run
continue
