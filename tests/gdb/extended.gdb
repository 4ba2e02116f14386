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
set var *(int *)0x80000000 = 77
x/2dw 0x80000000
run
x/2dw 0x80000000
