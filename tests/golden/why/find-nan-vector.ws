# prompt
# args: -m functional values.ptx
# Of a store of four values each has an origin of its own: 1 / 0 (infinity), 0 / 0 (NaN).
set history on
buffer x f32[2] = {1, 0}
buffer y f32[4] = zero
run four<<<1, 1>>>(x, y)
p y
find-nan y[0]
find-nan y[1]
find-nan y[2]
why y[2] 2
why y[3] 3
