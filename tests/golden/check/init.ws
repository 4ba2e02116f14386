# args: -q -m functional init.ptx
# status: 3
# each use of what nobody has written, by kind; copies are none
check init on
buffer A s32[32]
buffer B s32[33]
run uses<<<1, 32>>>(A, B)
info findings
print $_findings
buffer R s32[4]
save R init.out
buffer Z s32[4] = zero
save Z init.out
shell rm -f init.out
check init off
run uses<<<1, 32>>>(A, B)
print $_findings
