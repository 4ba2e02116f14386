# args: cluster.ptx
# status: 3
buffer o u32[2] = {7, 7}
run one<<<2, 32>>>(o, 0)
p o
run one<<<2, 32>>>(o, 1)
run one<<<2, 32>>>(o, 2)
run one<<<2, 32>>>(o, 3)
run one<<<2, 32>>>(o, 4)
