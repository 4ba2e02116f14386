# args: -m performance
# run: launch lanes<<<1,64>>>(A, 5)
# Before a thread of another warp goes back gdb takes the one that was reported over its breakpoint. The one that its user is on goes back by one
# instruction; were the machine taken to the other's last one, it would go to what its own warp had executed then.
break 52
continue
thread 3
print $pc
reverse-stepi
print $pc
thread 33
print $pc
