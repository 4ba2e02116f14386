# kernel: c-variables.ptx
# run: set source cuda
# run: launch points<<<2,(32,2)>>>(A, 9)
print threadIdx
break c-variables.cu:23 if threadIdx.x == 5 && threadIdx.y == 1 && blockIdx.x == 1
continue
print threadIdx
print blockIdx.x * blockDim.x + threadIdx.x
print blockDim
print gridDim
info breakpoints
set var threadIdx.x = 3
