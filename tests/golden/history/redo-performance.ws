# args: -m performance -c tiny sums.ptx
# commands that undo has taken back are made again, the last one first; another command that changes the machine ends that
set history on
redo
buffer sum u32[64] = zero
set sum[1] = 7
launch sums<<<1, 64>>>(sum)
break 25
c
set %r2 = 4
stepi 3
# three at once, and one after the other again: steps, a value, the run
undo 3
redo
redo
print %r2
redo
print $cycle
redo
# over launch, set and buffer, back to where nothing was
undo 10
info buffers
redo 2
print sum[1]
redo 10
print %r2
c
print sum[1]
# redo counts as no command for undo: it takes back the run
undo
redo
print sum[1]
undo 2
# looking ends nothing, a change does
print sum[1]
set sum[2] = 5
redo
print sum[2]
