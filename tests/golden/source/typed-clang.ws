# prompt
# args: typed-clang.ptx
# As typed.ws, with what clang -g says; PTX: clang -x cuda --cuda-device-only -S -g --cuda-noopt-device-debug of typed.cu with CUDA's words defined in it
set source ptx
set var coef = iota 10 0.5
set var totals = {1, 2, 3, 4, [2] = {9, 9}}
set var matrix = iota 5
set var A::weight = {30, 40}
print A::weight
buffer slots Slot[3] = {{1, USED, true, "ab", {{0.5, 1}, {1.5, 2}}}, {2, .stats = {{2.5, 3}}}, {.stats[0].mean = 42}}
buffer out Stats[3] = zero
run gather<<<1, 32>>>({slots, 63, 3}, out, 2)
print out
launch gather<<<1, 32>>>({slots, 63}, out, 2)
# with types of one's own the layout is told, too
run gather<<<1, 32>>>({u64 slots}, out, 4)
run gather<<<1, 32>>>({u64 slots, s32 63, s32 1, s32 1}, out, 4)
