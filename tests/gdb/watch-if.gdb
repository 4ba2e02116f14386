# run: launch lanes<<<2,64>>>(A, 5)
break 57
continue
delete
watch r8 if r8 == 4
continue
print r8
