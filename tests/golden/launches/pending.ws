# args: -m functional
# prompt
# what isn't there yet is kept while nothing is loaded, and found in each file that comes
break vecadd
break vecadd.ptx:33
break later.cu:3 if %r1 == 7
catch kernel vecadd
info breakpoints
load ../contract/vecadd.ptx
info breakpoints
# with a file the same is a mistake, unless somebody wants it kept
break saxpy
catch kernel saxpy
set breakpoint pending on
show breakpoint pending
break saxpy
tbreak other.cu:7
catch kernel saxpy
info breakpoints
set breakpoint pending off
break nobody
load ../../../examples/01-saxpy/saxpy.ptx
info breakpoints
buffer x f32[64] = iota
buffer y f32[64] = fill 1
buffer z f32[64] = zero
run saxpy<<<1, 64>>>(60, 2.0, x, y, z)
info breakpoints 6
