# prompt
# args: -m functional values.ptx
# 1 / 0 is infinity (line 53); times 0 NaN, plus 1 NaN, stored in line 56. y[1], y[2] are bytes of integers: numbers. z[1] is the host's own.
set history on
buffer x f32[2] = {1, 0}
buffer y f32[3] = zero
buffer z f32[2] = {1, 0f7fc00000}
buffer i s32[2] = zero
launch nan<<<1, 1>>>(x, y)
find-nan y
break 62
continue
find-nan %f5
find-nan %f3
find-nan %f1
find-nan y
find-nan
find-nan z[1]
find-nan i
find-nan i[0]
find-nan nothing
continue
find-nan y[0]
p $cycle
