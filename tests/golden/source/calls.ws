# args: -m functional calls.ptx
# prompt
# A line that is nothing but the call of an inlined function: breakpoints, until and advance stop in front of it, as next does
buffer counters s32[66] = zero
break calls.cu:18
break calls.cu:20
break calls.cu:9
break calls.cu:10
info breakpoints
run calls<<<1, 32>>>(counters, 32)
backtrace
step-line
step-line
backtrace
continue
continue
continue
delete
launch calls<<<1, 4>>>(counters, 4)
until calls.cu:18
backtrace
focus thread 1
advance calls.cu:20
kill
tbreak calls.cu:18
set source ptx
run
set source auto
kill
dprintf calls.cu:20,"%d of %d\n", %r1, %tid.x
run
