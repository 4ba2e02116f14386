# args: -m performance
# run: launch lanes<<<1,64>>>(A, 5)
# A breakpoint on the next line stops another lane of the warp, and isn't for it: gdb takes that one over it, finds the thread it was stepping
# at another place, and waits for it there at a breakpoint of its own. The step ends at the next line
monitor break lane
tbreak 57 if threadIdx.x == 33
continue
delete
nexti 2
watch r5 if r5 & 1
watch r4
break 60 thread 17 if $laneid == 5
next
print r8
next
print r8
