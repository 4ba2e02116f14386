# run: launch lanes<<<2,64>>>(A, 5)
break 57
continue
delete
watch -l tile[3]
continue
print $laneid
delete
continue
