# args: -m performance -c tiny sums.ptx
# the word goes 0 1 3 6 10: backwards 10 6 3 1 0, each time in front of the store
set history on
buffer sum u32[64] = zero
launch sums<<<1, 64>>>(sum)
watch sum[40]
break 25 warp 1 if %r2 == 3
tbreak 27 thread (33,0,0)
c
c
c
c
c
c
c
info breakpoints
rc
print sum[40]
rc
rc
print sum[40]
rc
rc
print sum[40]
rc
# and forwards once more: nothing is told twice but stops
c
print sum[40]
# so many are passed on the way back, as on the way there
delete
break 25 warp 1
goto-cycle 100000
rc
print %r2
ignore 4 2
rc
print %r2
info breakpoints
catch barrier
c
rc
