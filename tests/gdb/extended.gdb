# target: extended
# run: launch lanes<<<2,64>>>(A, 5)
break lanes.ptx:58
continue
print r8
run
print r8
print $kernel
kill
run
print $kernel
