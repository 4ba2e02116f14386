# prompt
# args: ../contract/vecadd.ptx
buffer C f32[4] = {1, 2}
buffer out f32[64] = zero
# as in C: what a short list doesn't name is zero
p C[0..3]
# one past the end has an address, as in C, and no value
p &C[4]
p &C[4] - &C[0]
p C[4]
p &*(f32*)0x123450
p &shared[0x40]
launch vecadd<<<1, 4>>>(C, C, &C[4], 0)
p vecadd_param_2
# conversions of what doesn't fit saturate, as PTX's cvt does
p (s32)1e30
p (s32)-1e30
p (u32)1e30
p (u32)-1
p (u32)-1.0
p (s8)300.0
p (u8)300.0
p (s8)300
p (s16)-40000.5
p (s64)1e30
p (u64)1e30
p (s64)-1e30
p (u64)18446744073709549568.0
p (s32)2147483647.0
p (s32)2147483648.0
p (s32)-2147483648.0
p (s32)(0.0/0.0)
p (s32)-1.9
p C[1.5]
p C[1.0]
p shared[4.0]
p C[0..1.5]
watch $cycle
watch $uid
watch %tid.x
watch %laneid
watch -1
watch 1.5
watch C[0]
# an assignment that is none says what is wrong with it
set C[0] =
set C = {1, 2, 3, 4, 5}
set nosuch = 3
set nosuch 3
