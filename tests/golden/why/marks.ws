# prompt
# args: -m functional marks.ptx
set history on
buffer p f32[4]
launch odd<<<1,1>>>(p)
break marks.ptx:31
continue
# 2^127 squared; inf - inf; the root of -1; the logarithm of 0
why %f3 1
why %f4 1
why %f5 1
why %f6 1
# 2^31 - 1 and one more; -(-2^31) and its amount, which are 2^31; -2^31 - 1
why %r6 2
why %r8 1
# NaN goes through a conversion; 2^127 is no s32, 256 no u8; 0 is a u32
why %d1 2
why %r7 1
why %r4 1
why %r3 1
why %r5 1
# by 0
why %r2 2
# what nobody has written
why %f7
