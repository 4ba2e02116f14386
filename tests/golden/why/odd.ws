# prompt
# args: -m functional values.ptx
# 1 / 0 is infinity, infinity * 0 is NaN, 2000000000 + 2000000000 is more than an s32 holds, %r1 is never written
why %r1
set history on
buffer x f32[2] = {1, 0}
buffer y f32[3]
why y[0]
why 3 + 4
why $nothing
why
launch nan<<<1, 1>>>(x, y)
why %f5
break 62
continue
why %f5
why (s32)%r3
stepi
why y[1] 2
stepi
why y[2] 3
why y[0] 5
why y[0] 2
continue
why y[0] 1
why x[1]
why %f5
set history off
why y[0]
