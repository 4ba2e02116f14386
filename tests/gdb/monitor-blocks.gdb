# run: launch lanes<<<1,32>>>(A, 5)
# Commands that would read more lines find none; nothing waits for ever.
break lanes.ptx:57
monitor commands 1
monitor define twice
monitor while 1
monitor if 1
monitor source /nonexistent
monitor continue
monitor print %r8
continue
monitor stepi 3
print $pc
monitor !id
monitor kill
info threads
continue
