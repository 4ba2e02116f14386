# run: launch lanes<<<1,64>>>(A, 5)
# The next instruction has a breakpoint, too, and a step goes to it: the lanes of which the first one is reported meanwhile see registers as
# they were there (r2 is 0), also those whose warp has ended. Nothing can be written there.
monitor break lane
break 51 if $uid < 3
break 52 if $uid < 3
commands 1
silent
printf "thread %d at 51: r1 %d, r2 %d\n", $uid, r1, r2
continue
end
commands 2
silent
printf "thread %d at 52: r1 %d, r2 %d\n", $uid, r1, r2
continue
end
break 73 if $uid < 4
continue
stepi
thread 1
print r2
set var r2 = 5
print r2
continue
continue
print r2
print n
continue
