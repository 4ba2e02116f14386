# prompt
# args: ../contract/vecadd.ptx
# focus switches in cuda-gdb's words; one wording for files that can't be read
cuda kernel
cuda foo 3
cuda foo
launch vecadd<<<2, 32>>>(0, 0, 0, 0)
cuda kernel 5
focus thread 32
cuda block 1 thread 3
cuda block 1 thread 3
cuda kernel block thread
cuda device sm warp lane
cuda
thread
thread 65
thread 2
focus lane 99
focus foo
load nosuch.ptx
load /
source nosuch
source /
buffer A f32[4] = file nosuch
buffer A f32[4] = file /
buffer A f32[4]
compare A nosuch
save A /nosuch/file
