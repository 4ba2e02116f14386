# prompt
# args: a.ptx
# Static variables of the same names in two files: each kernel's own. FILE:LINE of several files is listed in each, as in gdb
load b.ptx
buffer out s32[2] = zero
list k.cu:2
list k.cu:11,12
list b/k.cu:2,3
list op.cuh:6
list op.cuh:60
print counter
# the file chooses one, by the name of the source or of the PTX
print 'a/k.cu'::counter
print 'b/k.cu'::counter + 'a/k.cu'::only_a
print 'b.ptx'::cfg
print 'k.cu'::counter
print 'c.cu'::counter
set var 'b/k.cu'::counter = 21
print 'b.ptx'::counter
set var 'b.ptx'::counter = 20
info symbol &'a/k.cu'::counter
break ka
break kb
run ka<<<1, 4>>>(out)
print counter
print cfg
print only_b
print 'b/k.cu'::counter
print &counter
set var counter = 30
continue
run kb<<<1, 4>>>(out)
print counter
print cfg
print only_a
watch counter
break op if x > 20
continue
continue
lane apply 0 2-3 -q print threadIdx.x
lane apply all -s print/x threadIdx.x + 16
lane apply 3-4 print 1
lane apply
lane 2
lane
lane 9
# a condition that fits some of the lanes
delete
break a/k.cu:8 if threadIdx.x == 1 || threadIdx.x == 3
break a/k.cu:10 if threadIdx.x > 0
run ka<<<1, 4>>>(out)
continue
