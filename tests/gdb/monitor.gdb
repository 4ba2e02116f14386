# run: launch lanes<<<2,64>>>(A, 5)
monitor focus thread (5,0,0)
monitor print %tid.x
monitor info buffers
monitor shell echo no
monitor nonsense
monitor break lane
monitor expose 2
monitor break 57
monitor expose what
continue
info threads 1 65
monitor delete
monitor help stepi
monitor packets
