# prompt
# files of one name in two modules: a location has its places in each of them
buffer o s32[4]
set source cuda
load a.ptx
break op.cuh:4
break k.cu:common
# line 8 is in b's file alone
break op.cuh:8
info breakpoints
disable 1.1
load b.ptx
info breakpoints
enable 1.1
run ka<<<1,1>>>(o)
continue
bt
continue
run kb<<<1,1>>>(o)
bt
continue
continue
# the folder chooses one
break a/op.cuh:4
tbreak b/op.cuh:4
break k.cu:3
# line 1 of b's file is a comment, a's has code
break op.cuh:1
# line 6 has code in neither: the next one that has
break op.cuh:6
info line op.cuh:4
delete
break op.cuh:4
clear op.cuh:4
info breakpoints
