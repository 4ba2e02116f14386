# prompt
# args: -m performance nan-far.ptx
# 1 doubled is infinite after 128 rounds, in line 37: in round 127, counted from 0. Thread 0 goes on through line 39 of that round, 2 instructions
# of the 1372 rounds 128 to 1499, a store and a load in round 700, and the last store: 2748. Thread 1 has line 38 besides, 1373 times: 4121.
set history on
buffer out f32[32] = zero
run far<<<1, 32>>>(out, 1500)
find-nan out
find-nan out[0]
find-nan out[1]
# 2 doubled is infinite after 127 rounds, which leaves 1373 rounds of the first call; with its line 17, the call and the second call's line 9, 1500
# rounds, line 17, the call and the store: 2880.
run called<<<1, 32>>>(out, 1500)
find-nan out[5]
