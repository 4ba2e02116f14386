# kernel: ../golden/contract/early-return.ptx
# run: launch later<<<1,64>>>(A)
# Four threads of warp 0 come to the barrier, the others of the warp go past it: they step on while those four stand there.
break 45
continue
delete 1
thread 5
stepi
info threads 1 5 33
# thread 2 can't move before the others are gone
break 50 if threadIdx.x == 20
thread 2
stepi
info threads 2 21
delete 2
thread 2
stepi
info threads 2 21
continue
