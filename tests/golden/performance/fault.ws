# args: -m performance ../contract/vecadd.ptx
# status: 3
buffer A f32[64] = iota 0 1
buffer C f32[63] = zero
catch exception
run vecadd<<<1, 64>>>(A, A, C, 64)
p $cycle
p %f3
# the machine stands in front of it: trying again fails again, with an address that is right it goes on
continue
p $cycle
delete
set %rd10 = &A[63]
p %rd10
continue
