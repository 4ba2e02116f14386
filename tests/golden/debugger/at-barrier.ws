# args: words-of-launch.ptx
# prompt
# A warp that has arrived at a barrier stands at it until it opens: in the stop's line, $pc, the tables and the call stack.
run apart<<<1, 64>>>
info line
info warps
info cuda warps
info threads
backtrace
focus uid 33
kill
# cycle 3: warp 0 has arrived, warp 1 has executed its first instruction
launch together<<<1, 64>>>
step 3
# one instruction more is the one behind the barrier
stepi
kill
launch together<<<1, 64>>>
step 3
next
kill
launch together<<<1, 64>>>
step 3
until 44
# a kernel's function returns to nobody
finish
kill
