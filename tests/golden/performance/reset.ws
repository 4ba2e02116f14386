# args: -q -m performance -c tiny ../memory/heap-guard.ptx
# prompt
# cold, warm (said once), warm, cold: 1 as long as 4
buffer x f32[64] = iota
buffer y f32[64] = zero
run shifted<<<2, 32>>>(x, y, 62)
printf "%d\n", $cycle
set $first = $cycle
run shifted<<<2, 32>>>(x, y, 62)
run
assert $cycle < 3 * $first
reset
print $cycle
info kernels
run
print $cycle
assert $cycle == $first
# on the bytes there are, not those of the last launch
reset
set x[1] = 40
run
print y[0]
# what stays: breakpoints, settings, buffers, $variables; in the middle of a kernel
break heap-guard.ptx:45
watch y[0]
set x[1] = 50
run
info breakpoints
reset
info kernels
focus
print $first
continue
run
focus
continue
delete
# uids from 1, kernels from 0, statistics 0
reset
stats gpu_tot_sim_cycle
launch poke<<<1, 1>>>(y, 3)
continue
print $cycle
# what the kernel allocates comes at the same addresses
buffer p b64[2]
run own<<<1, 1>>>(p)
print/x p
kill
reset
run own<<<1, 1>>>(p)
print/x p
reset now
