# prompt
# args: -m functional --check race
# Loads and stores of matrices race with what another warp stores, and are silent behind a barrier.
set history on
load race.ptx
buffer o u32[64] = zero
run ldmatrix<<<1, 64>>>(o)
run ldmatrix_ordered<<<1, 64>>>(o)
run stmatrix<<<1, 64>>>(o)
run stmatrix_ordered<<<1, 64>>>(o)
run wmma_load<<<1, 64>>>(o)
run wmma_load_ordered<<<1, 64>>>(o)
run wmma_store<<<1, 64>>>(o)
run wmma_store_ordered<<<1, 64>>>(o)
info findings
