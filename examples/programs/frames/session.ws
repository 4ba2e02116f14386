# One launch of 64 goes wrong. All run functionally, which is fast:
simulate none
run
# Which one was it? The star is at the 37th, and the line of the host that launches them is named above.
info launches brighten#36
info launches brighten#37
# Once more, up to that launch; it alone runs in detail.
kill
simulate brighten#37
run-to-launch brighten#37
info args
# frame is 36. What does the table say of it, and of its neighbours?
print ((s32[64])alloc_2)[35..37]
# The offset for frame 36 isn't between its neighbours: 9437184 is 36 * 512 * 512. The table is wrong, not the kernel.
print ((s32[64])alloc_2)[36] == 36 * 512 * 512
# With a right one it would work: try it on the device, where the program waits.
set var ((s32[64])alloc_2)[36] = 18432
continue
info launches brighten#37
