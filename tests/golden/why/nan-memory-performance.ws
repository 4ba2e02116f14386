# args: -m performance
# A way through memory in each of 2000 rounds, from thread to thread. Behind the birth in round 128 lie its store, a load and a store, and five instructions
# in each of 1872 rounds: 9363. The value goes to the next lower thread in each round: A[0] had it from thread 1872 % 64 = 16, uid 17.
set history on
load nan-memory.ptx
buffer A f32[64]
buffer B f32[64]
run passed<<<1, 64>>>(A, B, 2000)
find-nan A[0]
find-nan A[63]
find-nan
