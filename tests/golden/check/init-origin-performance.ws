# args: -q -m performance heap.ptx
# status: 3
# rc from a use by the host, and from one of what a kernel's malloc gave: an earlier finding, else where the memory came to be unwritten
set history on
check init on
set check-action stop
buffer z s32[32] = zero
run fill<<<1, 32>>>(z, 1)
buffer o s32[32]
run fill<<<1, 32>>>(o, 30)
save o /dev/null
rc
info buffers
c
# once more; a second rc goes on from there
save o[28..31] /dev/null
rc
rc
c
# malloc: where it returned to the thread whose memory it was
buffer k u64[4] = zero
run own<<<1, 4>>>(k, o)
rc
c
c
# an earlier finding, then the origin of that
run late<<<1, 4>>>(k, o)
rc
rc
c
c
c
# results that came from a kernel's shared memory
run stored<<<1, 32>>>(o)
save o /dev/null
rc
