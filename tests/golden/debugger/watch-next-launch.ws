# args: watch-next-launch.ptx
# Watches of shared memory, local memory and a register are of one block and thread: block 1, thread 5 has 7, 107 and 112 in %r2. Later
# launches of the same kernel have such a thread again; another kernel's have none of it.
launch turns<<<2, 32>>>(7)
focus block (1,0,0) thread (5,0,0)
watch slot[5]
watch mine
watch %r2
c
c
c
c
c
c
run other<<<2, 32>>>(9)
launch turns<<<2, 32>>>(20)
c
c
c
c
c
c
info watchpoints
