# args: -q -m functional chain.ptx
# Lanes that wait for lanes of their warp, in orders that a seed chooses: each makes progress, and a seed gives the same run twice.
buffer A u32[1024]
buffer B u32[1024]
set $seed = 1
while $seed <= 12
  reset
  schedule $seed
  set A[0..1023] = 0
  set chain_lock[0..1] = 0
  set chain_done[0..1023] = 0
  run chain<<<2, 64>>>(A)
  assert chain_lock[1] == 2 * 63 * 32 && chain_done[0] == 1 && chain_done[127] == 1
  set $cycles = $cycle
  reset
  schedule $seed
  set B[0..1023] = 0
  set chain_lock[0..1] = 0
  set chain_done[0..1023] = 0
  run chain<<<2, 64>>>(B)
  assert $cycle == $cycles
  assert A[0] == B[0] && A[31] == B[31] && A[63] == B[63] && A[64] == B[64] && A[100] == B[100]
  set $seed = $seed + 1
end
