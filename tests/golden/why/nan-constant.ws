# prompt
# args: -m functional nan-constant.ptx
# The NaN is born in line 20, as `why` says, too. The way on: 3, then 3000 additions in line 23, and the store in line 27.
set history on
buffer out f32[32] = zero
run constant<<<1, 32>>>(out, 3)
find-nan out
find-nan out[7]
why out[7] 9
run constant<<<1, 32>>>(out, 3000)
find-nan out
# NaN of an infinity that was computed: line 39; of one that is constant, and was loaded: the NaN's own, line 46. The infinities: lines 39 and 43.
buffer o f32[4] = zero
run divided<<<1, 1>>>(o)
find-nan o[0]
find-nan o[1]
find-nan o[2]
find-nan o[3]
