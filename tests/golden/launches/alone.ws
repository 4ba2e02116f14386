# args: -m performance ../contract/vecadd.ptx
# what simulate.ws' third launch takes, alone in cold caches
buffer A f32[256] = iota
buffer C f32[256] = zero
run vecadd<<<4, 64>>>(A, A, C, 250)
stats gpu*cycle
info launches
