load early-return.ptx
buffer A s32[64] = zero
break early-return.ptx:48
run later<<<1,64>>>(A)
info lanes -active
info kernels 0
info modules
