# prompt
# args: -m functional parameters.ptx
# Without variables in the debug information, parameters have the names and types of the source: in bt, info args, expressions and conditions. A buffer comes
# before a parameter of its name. A declaration without a name keeps PTX's.
buffer out f32[64] = zero
buffer numbers s32[64] = iota
break parameters.cu:19 if n == 40 && weight == 0.5 && threadIdx.x == 33
run many<float, 3><<<1, 64>>>(out, numbers, 40, {s32 3, f32 4}, 0.5, 0)
info args
backtrace
print n * 2
print/x in
print out[0]
print p
break scaled
continue
backtrace
info args
up
print weight
delete
print nosuch
launch plain<<<1, 32>>>(out, 7)
info args
backtrace
