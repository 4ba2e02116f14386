# kernel: finish-indirect.ptx
# run: launch calls<<<1,32>>>(A)
break twice
break squared
break is_even
continue
finish
continue
finish
continue
finish
print p1
thread 2
print p1
