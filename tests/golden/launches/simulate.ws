# args: -m performance ../contract/vecadd.ptx
# prompt
# which launches run in detail: what info launches says of each, also of those that are queued already
buffer A f32[256] = iota
buffer C f32[256] = zero
simulate
simulate vecadd#3
simulate
launch vecadd<<<4, 64>>>(A, A, C, 250)
launch vecadd<<<4, 64, 128, 1>>>(A, A, C, 250)
launch vecadd<<<4, 64>>>(A, A, C, 250)
launch vecadd<<<2, 64>>>(A, A, C, 100)
info launches
run-to-launch vecadd#3
p $cycle
info scoreboard
continue
info launches
# the third's cycles are those that it takes alone
stats gpu*cycle
run-to-launch 1
run-to-launch 9
run-to-launch vecadd
run-to-launch vecadd#9
run-to-launch vecadd#1
run-to-launch vecadd#0
run-to-launch
simulate foo
simulate vecadd# x
simulate all x
simulate all
launch vecadd<<<4, 64>>>(A, A, C, 250)
launch vecadd<<<4, 64>>>(A, A, C, 250)
info launches vecadd#5
simulate none
info launches
continue
info launches foo
info launches vecadd#99
# after a reset launches are still counted on: the eighth is the second from here
reset
simulate vecadd#8
run vecadd<<<4, 64>>>(A, A, C, 250)
run vecadd<<<4, 64>>>(A, A, C, 250)
info launches
p C[249]
