# run: launch lanes<<<1,32>>>(A, 5)
# Lines backwards: over the call, into it, out of it; and round the loop.
break 60
continue
reverse-next
reverse-next
reverse-next
print f2
next
reverse-step
bt
reverse-step
reverse-finish
print $pc
continue
print r8
watch r8
reverse-continue
print r8
reverse-continue
