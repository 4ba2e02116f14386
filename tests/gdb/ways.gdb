# kernel: chain.ptx
# run: launch chain<<<1,32>>>(A)
# Lanes that wait for lanes of their warp: steps of a lane end where that lane is, whichever lanes run meanwhile, forwards and backwards.
break 24
continue
monitor info simt-stack
print r1
print r8
next
next
next
print r8
thread 32
info line
stepi
monitor info simt-stack
delete
break 30 if r1 == 30
continue
print r8
thread 1
info line
reverse-stepi
reverse-continue
thread 32
continue
