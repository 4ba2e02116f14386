# args: ../contract/vecadd.ptx
# One store of a warp that touches several watched places reports each; the focus is the first one's thread.
buffer A f32[64] = iota 1
buffer C f32[64] = zero
launch vecadd<<<1, 32>>>(A, A, C, 64)
watch (u8)global[0x80000207]
watch *(u64*)0x80000208
watch C[4..5]
watch C[9] if C[9] < 0
watch (u16)global[0x80000222]
watch C[1]
c
info breakpoints
c
