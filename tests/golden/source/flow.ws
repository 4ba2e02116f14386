# prompt
# args: flow.ptx
# `next` stops where a line begins: never in code of line 38 (break;) that another path executes, nor at 14 (return -1;) before the loop's end
buffer o s32[4] = zero
buffer t s32[4] = iota 2
set source cuda
launch flow<<<1,4>>>(o, t, 4)
break 38
continue
delete
next
next
next
next
# in the second round r is 3: continue, line 37
next
next
next
next
next
next
# back over the same lines
rn
rn
rn
tbreak flow.cu:47
continue
# lane 0 takes the else, lane 3 the other side: neither shows the other's line
focus thread (3,0,0)
next
next
next
tbreak seek if want == 0
run flow<<<1,4>>>(o, t, 4)
next
next
next
next
next
tbreak 15
continue
next
next
next
continue
tbreak seek if want == 3
run flow<<<1,4>>>(o, t, 4)
tbreak 9
continue
next
next
