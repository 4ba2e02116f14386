# args: -m functional ../contract/vecadd.ptx
# prompt
buffer A f32[256] = iota
buffer C f32[256] = zero
set break-on-launch application
show break-on-launch
launch vecadd<<<4, 64>>>(A, A, C, 250)
launch vecadd<<<4, 64>>>(A, A, C, 250)
continue
# a catchpoint says it, and nobody twice
catch kernel vecadd
continue
delete
set break-on-launch all
run vecadd<<<1, 64>>>(A, A, C, 64)
continue
set break on-launch none
set break-on-launch system
run vecadd<<<1, 64>>>(A, A, C, 64)
