info threads
backtrace
continue
monitor launch lanes<<<1,32>>>(A, 5)
break lanes.ptx:57
continue
info threads 1 2
