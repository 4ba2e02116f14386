# status: 3
# A tree of five nodes as {value, left, right}, with 0 where there is no child.
load tree.ptx
buffer nodes s32[15] = {10,1,2, 20,3,4, 30,0,0, 40,0,0, 50,0,0}
buffer starts s32[4] = {0, 1, 2, 3}
buffer sums s32[4] = zero
run tree_sums<<<1, 4>>>(nodes, starts, sums)
# The stack is full. How did we get here?
backtrace 8
# Always the call in line 17, for the left child, and the second parameter, k, repeats. From the start:
break tree.cu:17
run
print %r13
continue
print %r13
continue
print %r13
continue
print %r13
# 0, 1, 3 and 0 again: the leaf 3 leads back to the root. Either the host has to write -1 for a missing child, or line 15 has
# to take 0 for one.
list tree.cu:15,17
