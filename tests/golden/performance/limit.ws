# args: -m performance ../contract/vecadd.ptx -o '-gpgpu_max_cycle 600'
# status: 4
buffer A f32[64] = iota 0 1
launch vecadd<<<1, 64>>>(A, A, A, 64)
b 26
continue
continue
continue
p $cycle
continue
