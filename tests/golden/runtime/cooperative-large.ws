# args: -q -c tiny cooperative.ptx
# status: 1
# more blocks than can be resident at once would wait for each other for ever: CUDA's cudaErrorCooperativeLaunchTooLarge
buffer A s32[500] = iota
run rotate<<<4096, 32>>>(A, A, 500, 5)
