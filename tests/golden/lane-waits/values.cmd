# Kernels of ways.cu whose lanes wait for each other, and what they compute: counts, sums, and 3 * s + 1 as often as there are tickets.
buffer L u32[4] = zero
buffer sum s32[4] = zero
buffer out s32[128] = zero
run lock_while<<<1, 32>>>(L, sum, 2)
assert sum[0] == 2 * (1 + 32) * 16 && L[0] == 0
set sum[0] = 0
run lock_while<<<2, 96>>>(L, sum, 1)
assert sum[0] == 2 * (1 + 96) * 48
set sum[0] = 0
run lock_if<<<2, 64>>>(L, sum)
assert sum[0] == 128
set sum[0] = 0
run lock_then_shuffle<<<1, 64>>>(L, sum, out)
assert sum[0] == 64 && out[0] == 496 && out[31] == 496 && out[63] == 496
set sum[0] = 0
run lock_then_barrier<<<1, 64>>>(L, sum, out)
assert out[0] == 64 && out[63] == 64
set sum[0] = 0
run lock_sleep<<<1, 64>>>(L, sum)
assert sum[0] == 64
set sum[0] = 0
run lock_count<<<1, 32>>>(L, sum, out)
assert sum[0] == 32
buffer F s32[64] = zero
run chain_global<<<1, 64>>>(F, out)
assert out[0] == 64 && out[31] == 33 && out[63] == 1
buffer B s32[64] = zero
run chain_back<<<1, 64>>>(B, out)
assert out[63] == 64 && out[32] == 33 && out[0] == 1
run chain_shared<<<1, 64>>>(out)
assert out[0] == 64 && out[31] == 33 && out[63] == 1
run chain_atomic<<<1, 64>>>(out)
assert out[0] == 64 && out[31] == 33 && out[63] == 1
set sum[0] = 0
run two_locks<<<1, 64>>>(L, sum)
assert sum[0] == 64 && sum[1] == 128
set sum[0] = 0
run ticket<<<1, 32>>>(&L[2], &L[3], sum)
assert sum[0] == -250667200
buffer A s32[1] = zero
run rounds<<<1, 64>>>(A, out)
assert out[0] == 192 && out[63] == 192
buffer S s32[16] = zero
run pairs<<<1, 32>>>(S, out, 4)
assert out[0] == 10 && out[15] == 160 && S[0] == 0 && S[15] == 0
