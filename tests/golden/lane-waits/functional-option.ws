# args: -q -m functional -o '-gpgpu_independent_threads 1' ways-sm60.ptx
# status: 4
# With the option a kernel for sm_60 has independent threads: lanes that cross their locks are a deadlock, in orders that a seed chooses, too.
buffer L u32[4] = zero
buffer has s32[2] = zero
buffer out s32[64] = zero
set $seed = 0
while $seed < 4
  if $seed
    schedule $seed
  end
  set L[0..3] = 0
  set has[0..1] = 0
  run crossed<<<1, 32>>>(L, has)
  assert has[0] == 1 && has[1] == 1 && L[0] == 1 && L[1] == 1
  kill
  set L[0] = 0
  run kept<<<1, 32>>>(L, out)
  assert L[0] == 1
  kill
  set $seed = $seed + 1
end
