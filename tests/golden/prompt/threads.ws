# prompt
# `thread apply`: the focus comes back; numbers are uids.
thread apply 1 print 1
load ../contract/vecadd.ptx
buffer A f32[64] = iota
buffer B f32[64] = fill 100
buffer C f32[64] = zero
launch vecadd<<<4, 16>>>(A, B, C, 64)
break 33
continue
thread apply 3 17-18 print %f1 + %f2
thread apply all
thread apply 99999 print 1
thread apply x print 1
thread apply 2 nosuchcommand
focus
thread 20
thread
thread 0
