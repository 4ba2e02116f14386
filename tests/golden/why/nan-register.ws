# prompt
# args: -m functional nan-constant.ptx
# No memory has the NaN of line 59.
set history on
buffer out f32[32] = zero
run register<<<1, 32>>>(out)
find-nan
