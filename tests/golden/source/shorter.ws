# args: -m functional shorter.ptx
# prompt
# A source that is shorter than .loc says: its lines are shown as far as they go, then those of the PTX, and breakpoints go by .loc
buffer out s32[1] = zero
break shorter.cu:3
break shorter.cu:5
break shorter.cu:9
break shorter.cu:10
list shorter.cu:9
run shorter<<<1, 1>>>(out)
next
set source cuda
next
frame
info line
continue
set source auto
delete
launch shorter<<<1, 1>>>(out)
until shorter.cu:6
advance shorter.cu:9
continue
print out
