# run: launch lanes<<<2,64>>>(A, 5)
# Back by instructions, to a breakpoint, to the beginning; then forwards again.
break 58
continue
print r8
delete
stepi
stepi
print r8
reverse-stepi
print r8
reverse-stepi
print r8
info threads 1-2
break 52
reverse-continue
print $pc
delete
reverse-continue
print $pc
stepi
break 73
continue
print r8
