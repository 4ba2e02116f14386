# args: -q -m functional waits.ptx
# In orders that a seed chooses, too
set $seed = 1
buffer S u32[6]
buffer T s32[1]
buffer ST s32[500]
buffer CO s32[500]
buffer K s32[1] = zero
buffer SUM s32[1]
while $seed <= 30
  schedule $seed
  set S[0..5] = 0
  set T[0] = 0
  set SUM[0] = 0
  run grid_barriers<<<8, 64>>>(S, 5)
  assert S[4] == 8 && S[5] == 0
  run token<<<2, 1>>>(T, 50)
  assert T[0] == 100
  run sleep_lock<<<8, 64>>>(K, SUM)
  assert SUM[0] == 8
  run count_cells<<<1, 1>>>(500, ST, CO)
  run place_cells<<<8, 64>>>(500, ST, CO)
  assert ST[499] > 0
  set $seed = $seed + 1
end
