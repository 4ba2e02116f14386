# args: run-again.ptx
# `run` alone repeats the last launch with memory as that found it: a kernel that works in place does the same again.
buffer A u32[4] = iota 5
buffer Z u32[4096]
run bump<<<1, 4>>>(A)
print A
print count
run
print A
print count
# what was set before the launch is there again, what was set after it is not
set A[0] = 100
run bump<<<1, 4>>>(A)
set A[1] = 200
set Z[4000] = 1
run
print A
print count
print Z[4000]
# a buffer made since keeps its contents; the launch's text is taken anew, so a buffer of the same name is the new one
buffer B u32[4] = fill 9
buffer A u32[4] = fill 50
run
print A
print B
# from the middle, too
break 18
run
print A
run
print A
delete
continue
print A
print count
# `launch` alone stands in front of its first instruction, with memory put back; so it does in the middle
launch
print A
print count
stepi 7
print A
launch
print A
continue
print A
print count
