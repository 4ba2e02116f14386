# run: launch lanes<<<2,64>>>(A, 5)
break 58 if r1 == 0
ignore 1 3
continue
print r8
