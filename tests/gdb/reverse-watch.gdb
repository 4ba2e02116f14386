# args: -m performance
# run: launch lanes<<<2,64>>>(A, 5)
# A watchpoint backwards stops in front of the store; forwards again after it.
watch A[3]
continue
continue
reverse-continue
print A[3]
continue
reverse-continue
reverse-continue
