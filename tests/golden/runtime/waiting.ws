# status: 4
# a deadlock's report names kernels as their source does
load waiting.ptx
buffer flag s32[1] = zero
launch wait_for<<<1, 1>>>(flag)
launch set<<<1, 1>>>(flag)
continue
