# kernel: ../golden/ptxplus/look.ptxplus
# run: buffer out u32[32] = zero
# run: launch k<<<1,32,256>>>(out)
break look.ptxplus:21
continue
info locals
ptype r3
set var r2 = 11
print r2
thread 2
print r1
thread 1
stepi
monitor backtrace
monitor print $p0
monitor print/x s[0x20]
monitor print $r3.hi
next
next
watch r5
continue
delete
break look.ptxplus:26 if $tid_x == 3
continue
print r1
reverse-stepi
kill
