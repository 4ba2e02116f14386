# args: -m performance waits.ptx
# atomics are told when they take effect, not when they issue: one request per thread that shares its word with others
buffer C u32[8] = zero
launch count<<<1, 64>>>(C, 8)
watch C[1]
continue
p $cycle
continue
p C[0..3]
delete
# the thread is uid 2's: its register gets the old value with its own request
focus thread (1,0,0)
watch %r3
b 16 thread (1,0,0)
continue
p C[1] > %r3
delete
# in shared memory
watch shared[0]
continue
continue
delete
catch atomic
continue
p $cycle
delete
continue
p C[0..3]
