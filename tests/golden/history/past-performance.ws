# args: -m performance -c tiny sums.ptx
# history goes over launches; what is set in the past is instead of what came after
set history on
buffer sum u32[64] = zero
run sums<<<1, 64>>>(sum)
print sum[5]
run sums<<<1, 64>>>(sum)
print sum[5]
watch sum[5]
rc
rc
rc
rc
rc
print sum[5]
delete
info launches
goto-cycle 100000
print sum[5]
info launches
goto-cycle 3
watch sum[5] if sum[5] > 10
c
rc
delete
goto-cycle 2
set sum[5] = 100
set sum[6] = 200
c
print sum[5..6]
info launches
rs 100000
