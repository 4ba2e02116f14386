# kernel: moving.ptx
# run: set source cuda
# run: launch moving<<<1,32>>>(A, 5)
# `acc` is in one register after the other: a watchpoint follows it, and stops as often as in the same program for the CPU
thread 3
tbreak moving.cu:6
continue
watch acc
continue
continue
continue
continue
continue
