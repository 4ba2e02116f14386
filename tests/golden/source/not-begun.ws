# args: variables.ptx
# At a kernel's entry the variables of its body are listed as not begun, with their types; shared ones say so. Behind the first line they have values.
buffer results s32[4]
set source cuda
launch kinds<<<1,4>>>(results, 7, {s32 3, s32 4}, 1.5)
info locals
info args
