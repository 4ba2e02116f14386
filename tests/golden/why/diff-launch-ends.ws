# prompt
# args: -m functional -o '-gpgpu_max_cycle 300' ../../../examples/07-deposit/deposit.ptx
# Each of two blocks has one thread, which takes a lock. In performance mode both try at once; 300 cycles are too few for it there.
set history on
buffer lock s32[1] = zero
buffer balance s32[1] = zero
buffer amounts s32[64] = fill 5
run deposit<<<2, 1>>>(lock, balance, amounts)
diff-launch 0 schedule 3
diff-launch 0 performance
p balance[0]
