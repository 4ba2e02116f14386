# args: -q -m performance -o '-gpgpu_max_concurrent_kernel 2' waiting-launches.ptx
# status: 4
# Three kernels that wait for each other where two run at a time
buffer B s32[1] = zero
launch meet<<<1, 1, 0, 1>>>(B, 3)
launch meet<<<1, 1, 0, 2>>>(B, 3)
launch meet<<<1, 1, 0, 3>>>(B, 3)
continue
why
