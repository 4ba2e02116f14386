# kernel: deadlock.ptx
# run: launch dead<<<1,64>>>(A)
# two warps wait at two barriers: whatever gdb is asked to do ends with the report
break dead
continue
delete
next
next
next
next
stepi
continue
