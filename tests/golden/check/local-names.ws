# args: -q -m functional --check init local-names.ptx
# status: 3
# Debug builds keep arrays and structures in local memory: `why` and findings name the variable.
set history on
buffer out f32[32]
break local-names.cu:16
run names<<<1, 1>>>(out, 5)
why arr[1] 3
why p[1].y 4
delete
continue
