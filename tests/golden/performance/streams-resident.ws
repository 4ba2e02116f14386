# args: -m performance ../../programs/streams.ptx
# Two kernels on the device at once: a stop in one, looking at the other, the focus there and back, both to their end.
buffer A u32[4] = zero
buffer B u32[4] = zero
launch work<<<2, 64, 0, 1>>>(A, 40)
launch work<<<2, 32, 0, 2>>>(B, 60)
b work if $uid == 129
c
info kernels
info launches
focus kernel 0
print %ntid.x
focus kernel 1
print %ntid.x
stepi
print B[0..1]
c
print A[0..1]
info kernels
