# args: -m performance
# Long launches are run again in functional mode for find-nan, if that says what the recorded run did: where barriers order all warps. The birth in thread 70 of
# block 1 is uid 128 + 70 + 1 = 199. Where warps have no order the recorded run itself is looked at: warp 0 wrote last there, its thread 3 (uid 512 + 4) the element 3. Behind its birth in round 128 lie 1672 rounds and the store.
set history on
load nan-order.ptx
buffer X f32[512] = random 1 1 2
run ordered<<<4, 128>>>(X, 600)
find-nan X
find-nan X[200]
p $cycle > 20000
run unordered<<<1, 128>>>(X, 1500)
find-nan X[3]
who-wrote X[3]
