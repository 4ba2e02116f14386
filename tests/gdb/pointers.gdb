# kernel: statements.ptx
# run: launch points<<<1,32>>>(A, 1)
# A pointer that gdb stores becomes the program's address; a register, and another thread's memory, have none.
break statements.cu:39
continue
print p2 = &own[1]
print p2
print *p2
print p2 = &tile[3]
print p2
print *p2
print p2 = &plain
print p2
print $first = &own[1]
thread 2
print p2 = $first
print p2 = &own[2]
next
next
print own
