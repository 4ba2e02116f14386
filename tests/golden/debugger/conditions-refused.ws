# prompt
# args: ../contract/vecadd.ptx
b vecadd if undefined > 3
condition 1 nothing
b vecadd if %r77 == 1
b 33 thread (1,0,0) thread (2,0,0)
b 33 block 1 block 1
b 33 warp 1 warp 2
b 33 5 6
b 33 5 uid 5
b 33 warp
watch vecadd_param_3 if undefined
catch barrier if undefined
b vecadd
condition 1 undefined + 1
info breakpoints
