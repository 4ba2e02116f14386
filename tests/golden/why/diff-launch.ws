# prompt
# args: -m functional values.ptx
# The second launch finds A[5] = 9 instead of 6, so thread 5's load differs first; the third has buffers of its own with the same values.
# A launch of 16 threads has another grid.
set history on
buffer A s32[32] = iota 1
buffer B s32[32]
run square<<<1, 32>>>(A, B)
set A[5] = 9
run square<<<1, 32>>>(A, B)
diff-launch 0 1
diff-launch 1 0
set A[5] = 6
buffer C s32[32] = iota 1
buffer D s32[32]
run square<<<1, 32>>>(C, D)
diff-launch 0 2
run square<<<1, 32>>>(A, D)
diff-launch 1 3
run square<<<1, 16>>>(A, D)
diff-launch 0 4
diff-launch 0 0
diff-launch 0 9
diff-launch 0
diff-launch x 1
diff-launch 0 1 2
p $cycle
