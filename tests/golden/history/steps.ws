# args: -m functional -c tiny sums.ptx
# forwards and back: the same places, whatever the step
set history on
buffer sum u32[64] = zero
launch sums<<<1, 64>>>(sum)
stepi 7
print $pc
stepi
backtrace
# in front of the call, and of what came before it in this frame
reverse-finish
rsi
rn
rn
# over the call: forwards from line 21 to 23, and back
advance 21
next
next
rn
rni
next
reverse-next 2
print %r2
# as cycles
step 7
rs 3
rs 4
goto-cycle 1
goto-cycle 5
goto-cycle 3
# further than there is
rs 100000
rsi
# gdb's way to turn steps round
goto-cycle 5
stepi
set exec-direction reverse
stepi
set exec-direction forward
stepi
