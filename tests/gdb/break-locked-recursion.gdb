# args: -m performance
# run: launch sums<<<1,33>>>(A)
# In a recursive function another warp hits a breakpoint three times while one thread steps alone: each is told of its own activation.
break *0x8000048 if $uid == 33
thread 1
set scheduler-locking on
stepi 200
info line
set scheduler-locking off
continue
print n
print r1
bt
continue
print n
print r1
bt
continue
print n
print r1
bt
continue
